import type { MeasuredResult, Result } from './results.ts';
import { formula } from './results.ts';
import type { Verdict } from './targets.ts';

const formatWhole = (value: number) => value.toLocaleString('en');
const formatMs = (value: number) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const formatRate = (value: number) => (value >= 10 ? formatWhole(Math.round(value)) : value.toFixed(1));

const columns: readonly (readonly [name: string, show: (result: MeasuredResult) => string])[] = [
  ['request', ({ name }) => name],
  ['p50 ms (1)', ({ connections1 }) => formatMs(connections1.app.p50)],
  ['p99 ms (1)', ({ connections1 }) => formatMs(connections1.app.p99)],
  ['p50 ms (16)', ({ connections16 }) => formatMs(connections16.app.p50)],
  ['p99 ms (16)', ({ connections16 }) => formatMs(connections16.app.p99)],
  ['req/s (16)', ({ connections16 }) => formatRate(connections16.app.perSecond)],
  ['bare req/s', ({ connections16: { bare } }) => (bare ? formatRate(bare.perSecond) : '–')],
  ['ratio (1)', ({ connections1 }) => connections1.ratio?.toFixed(2) ?? '–'],
  ['ratio (16)', ({ ratio }) => ratio?.toFixed(2) ?? '–'],
  ['by CPU', ({ cpuRatio }) => cpuRatio?.toFixed(2) ?? '–'],
  ['CPU ms', ({ cpuMs }) => (cpuMs === null ? '–' : formatMs(cpuMs))],
  ['trips', ({ trips }) => String(trips)],
  ['rows read', ({ rowsRead }) => formatWhole(rowsRead)],
  ['written', ({ rowsWritten }) => formatWhole(rowsWritten)],
  ['$ / million', ({ dollarsPerMillion }) => dollarsPerMillion.toFixed(2)],
];

export function renderTables({ results }: { results: readonly Result[] }): string {
  const sizes = [...new Set(results.map(({ size }) => size))];
  return sizes
    .map((size) => {
      const rows = results
        .filter((each) => each.size === size)
        .map((each) =>
          columns.map(([, show], index) =>
            each.connections16 ? show(each) : index === 0 ? each.name : 'not yet',
          ),
        );
      return `### ${formatWhole(size)} tasks\n\n${renderGrid([columns.map(([name]) => name), ...rows])}`;
    })
    .concat(formula)
    .join('\n\n');
}

function renderGrid([head, ...rows]: readonly [string[], ...string[][]]): string {
  const widths = head.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const pad = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
  const line = (row: readonly string[]) => `| ${row.map(pad).join(' | ')} |`;
  const rule = `|${widths.map((width, index) => (index === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function renderVerdicts(title: string, verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const missed = verdicts.filter(({ isMissed }) => isMissed).length;
  return [
    `${title}: ${verdicts.length - missed} of ${verdicts.length} met`,
    ...verdicts.map(({ size, name, isMissed, text }) => {
      const at = size === null ? '' : formatWhole(size);
      return `  ${isMissed ? 'MISS' : 'pass'}  ${at.padStart(9)}  ${name.padEnd(width)}  ${text}`;
    }),
  ].join('\n');
}
