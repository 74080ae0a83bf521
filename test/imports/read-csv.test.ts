import { describe, expect, it } from 'vitest';
import { detectDelimiter, readRecords } from '../../src/imports/sources/csv-records.ts';
import { decodeText } from '../../src/imports/sources/decode-text.ts';
import { readCsv } from '../../src/imports/sources/read-csv.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const encodeUtf16 = (text: string, isBigEndian = false) => {
  const units = new DataView(new ArrayBuffer(2 * text.length));
  for (let index = 0; index < text.length; index += 1)
    units.setUint16(2 * index, text.charCodeAt(index), !isBigEndian);
  return new Uint8Array(units.buffer);
};
const listCells = (text: string, delimiter = ',') =>
  [...readRecords(text, delimiter)].map(({ cells }) => cells);

describe("a CSV file's text", () => {
  it.each([
    ['UTF-8', encode('é')],
    ['UTF-8 with a byte order mark', encode('\u{FEFF}é')],
    ['UTF-16 with a byte order mark', encodeUtf16('\u{FEFF}é')],
    ['big-endian UTF-16', encodeUtf16('\u{FEFF}é', true)],
    ['Windows-1252', new Uint8Array([0xe9])],
  ])('is decoded from %s', (_name, bytes) => {
    expect(decodeText(bytes)).toBe('é');
  });

  it('is decoded from UTF-16 without a byte order mark', () => {
    expect(decodeText(encodeUtf16('Task,Status\nBuild,Done'))).toBe('Task,Status\nBuild,Done');
  });

  it('is decoded from Windows-1252 with its quotation marks and its euro sign', () => {
    expect(decodeText(new Uint8Array([0x80, 0x93, 0x94, 0x9f]))).toBe('€“”Ÿ');
  });

  it('is decoded correctly across chunk boundaries', () => {
    const text = 'aé€🙂'.repeat(20_000);
    expect(decodeText(encode(text)) === text).toBe(true);
    expect(decodeText(encodeUtf16(`\u{FEFF}${text}`)) === text).toBe(true);
    const bytes = new Uint8Array(100_000).fill(0x80);
    expect(decodeText(bytes) === '€'.repeat(100_000)).toBe(true);
    expect(decodeText(encode('a\u0001'.repeat(50_000))) === 'a'.repeat(50_000)).toBe(true);
  });

  it('is rejected if the file is a spreadsheet', () => {
    expect(() => decodeText(new Uint8Array([0x50, 0x4b, 3, 4, 0]))).toThrow('not a CSV file');
  });
});

describe('CSV records', () => {
  it('keep delimiters, quotation marks and line breaks in quoted cells', () => {
    expect(listCells('a,"b, ""c""\r\nd",e\r\nf')).toEqual([['a', 'b, "c"\r\nd', 'e'], ['f']]);
  });

  it.each(['\n', '\r\n', '\r'])('are separated by %j', (end) => {
    expect(listCells(`a,b${end}c,d${end}`)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('contain the number of the line on which they start', () => {
    expect([...readRecords('a,"b\nc"\nd', ',')].map(({ line }) => line)).toEqual([1, 3]);
  });

  it('keep a quotation mark inside an unquoted cell', () => {
    expect(listCells('5" disk,b')).toEqual([['5" disk', 'b']]);
  });

  it('keep many quotation marks in a long cell', () => {
    const cell = '"'.repeat(100_001);
    expect(listCells(`"${cell.replaceAll('"', '""')}",b`)[0]?.[0] === cell).toBe(true);
  });

  it('are rejected as soon as they have too many cells', () => {
    expect(() => listCells(`${','.repeat(300)}"not closed`)).toThrow('at most 300 columns; line 1 has more');
    expect(listCells(','.repeat(299))[0]).toHaveLength(300);
  });

  it('are rejected if a quotation mark is never closed', () => {
    expect(() => listCells('a,b\n"c,d')).toThrow('line 2 is never closed');
  });

  it.each([
    [';', 'Task;Status;Tags\nA, or B;Done;x'],
    ['\t', 'Task\tStatus\nA, B, C\tDone'],
    [',', 'Task,Status\nA;B,Done'],
    ['|', 'Task|Status\nA|Done'],
  ])('have cells separated by %j', (delimiter, text) => {
    expect(detectDelimiter(text).delimiter).toBe(delimiter);
  });

  it('have cells separated by the character in a "sep=" line', () => {
    expect(detectDelimiter('sep=;\nTask;Status')).toEqual({ delimiter: ';', body: 'Task;Status' });
  });
});

describe('reading a CSV file', () => {
  const readText = (text: string) => readCsv(text);
  const listUses = (text: string) => readText(text).columns.map(({ use }) => use);

  it('recognizes columns in several languages', () => {
    expect(listUses('Zusammenfassung,Status,Fällig am\nA,Offen,1.2.2026')).toEqual([
      'name',
      'status',
      'deadline',
    ]);
    expect(listUses('Podsumowanie,Klucz zgłoszenia,Priorytet\nA,X-1,Wysoki')).toEqual([
      'name',
      'id',
      'priority',
    ]);
    expect(listUses('Résumé,État,Étiquettes,Étiquettes\nA,Fini,x,y')).toEqual([
      'name',
      'status',
      'tags',
      'tags',
    ]);
  });

  it('keeps all columns with the same header', () => {
    expect(listUses('Summary,Labels,Labels,Comment,Comment\nA,b,c,d,e')).toEqual([
      'name',
      'tags',
      'tags',
      'text',
      'text',
    ]);
  });

  it('reads names from the first unknown column if no header is recognized', () => {
    expect(listUses('Foo,Bar\nA,B')).toEqual(['name', 'text']);
  });

  it('reports the lines above the header', () => {
    const { tasks, notes } = readText('Exported today\n\nTask,Status\nA,Done');
    expect(tasks).toEqual([{ row: 1, cells: ['A', 'Done'] }]);
    expect(notes).toEqual([
      { row: null, text: 'Line 1 is above the header and was left out: Exported today' },
    ]);
  });

  it('reports rows with too many or too few cells, and keeps their values', () => {
    const { columns, tasks, notes } = readText('Task,Status\nA\nB,Done,More');
    expect(columns.map(({ header }) => header)).toEqual(['Task', 'Status', 'Column 3']);
    expect(tasks[1]?.cells).toEqual(['B', 'Done', 'More']);
    expect(notes.map(({ row }) => row)).toEqual([1, 2]);
  });

  it('removes the apostrophe that keeps a cell from being read as a formula', () => {
    expect(readText("Task,Status\n'=1+1,'quoted'").tasks[0]?.cells).toEqual(['=1+1', "'quoted'"]);
  });

  it('rejects a file in which a spreadsheet has put each row into one cell', () => {
    expect(() => readText('"Summary,Issue key,Status"\n"A,X-1,Done"')).toThrow('Each row is a single cell');
  });

  it('rejects a file with more filled cells than fit into memory', () => {
    const buildFile = (rows: number) => `${Array(250).fill('H').join(',')}\n`.repeat(1 + rows);
    expect(() => readText(buildFile(2_000))).toThrow('at most 500,000 filled cells');
    expect(readText(buildFile(1_999)).tasks).toHaveLength(1_999);
  });

  it('shortens long headers', () => {
    expect(readText(`Task,${'H'.repeat(1_000)}\nA,B`).columns[1]?.header).toBe(`${'H'.repeat(199)}…`);
  });

  it.each(['', 'Task,Status', '\u{FEFF}', '\n\n'])('rejects %j, which has no rows', (text) => {
    expect(() => readText(text)).toThrow('has no rows');
  });
});
