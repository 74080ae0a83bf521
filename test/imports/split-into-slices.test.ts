import { describe, expect, it } from 'vitest';
import { planImport } from '../../src/imports/plan/plan-import.ts';
import { type SliceTask, splitIntoSlices } from '../../src/imports/run/split-into-slices.ts';
import { readCsv } from '../../src/imports/sources/read-csv.ts';

const planText = (text: string) =>
  planImport(readCsv(text, undefined), {
    findPerson: () => null,
    findUser: () => null,
    findChoice: () => null,
    labels: new Map(),
    fileKey: 'file:x',
    dateOrder: undefined,
    timezone: 'UTC',
    today: '2026-11-28',
  }).tasks;

const sumHtmlLength = (slice: readonly SliceTask[]) =>
  slice.reduce((sum, { html }) => sum + (html?.length ?? 0), 0);

describe('splitting a plan into slices', () => {
  it('limits the HTML of a slice, which column names and escaped characters can make much longer than the file', () => {
    const headers = Array.from({ length: 200 }, (_, index) => '&'.repeat(30) + index);
    const rows = Array.from({ length: 50 }, (_, row) => [`Task ${row}`, ...headers.map(() => '&')].join(','));
    const tasks = planText([['Task', ...headers].join(','), ...rows].join('\n'));
    const slices = [...splitIntoSlices(tasks)];
    expect(slices.flat().map(({ task }) => task)).toEqual(tasks);
    for (const slice of slices) expect(sumHtmlLength(slice)).toBeLessThanOrEqual(500_000);
  });

  it('turns URLs into links, without the punctuation after them', () => {
    const [[slice] = []] = splitIntoSlices(
      planText('Task,Link\nA,"See https://a.example/?b=1&c=2, or (http://d.example/<i>)."'),
    );
    expect(slice?.html).toContain(
      '<strong>Link</strong>: See <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a>, or ' +
        '(<a href="http://d.example/">http://d.example/</a>&lt;i&gt;).',
    );
  });

  it('leaves a description unformatted if its HTML would be too long', () => {
    const [[slice] = []] = splitIntoSlices(planText(`Task,Description\nA,"${'>a\n\n'.repeat(20_000)}"`));
    expect(slice?.html?.startsWith('<p>&gt;a<br><br>&gt;a')).toBe(true);
  });

  it('puts up to 50 short tasks into a slice', () => {
    const tasks = planText(`Task\n${'A\n'.repeat(120)}`);
    expect([...splitIntoSlices(tasks)].map(({ length }) => length)).toEqual([50, 50, 20]);
  });
});
