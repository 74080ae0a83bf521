// `bench/web/run.ts` measures the web app's size, response times and the cost of each screen.
//   node bench/web/run.ts [--size 10000] [--size 1000000] [--runs 5] [--fresh]
// Starts its own server on a seeded workspace of each size. Measures page loads in Chromium with the network and the
// processor of a phone, and moves and the command palette at full speed. Exits with 1 if a limit is exceeded.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../test/browser/chromium.ts';
import { measurePage, type PageMeasurements } from '../../test/browser/page-measurements.ts';
import type { StorageState } from '../../test/browser/visit.ts';
import type { BenchWorkspace, ScreenCost, ServerMessage } from './messages.ts';
import { measureMoves } from './moves.ts';
import { measurePalette } from './palette.ts';

const SIZES = ['10000', '1000000'];
const TRIPS_MAX = 2;
const ROWS_MAX = 1_000;
const CPU_MS_MAX = 15;
const DAY_SECONDS = 86_400;

const { values } = parseArgs({
  options: {
    size: { type: 'string', multiple: true, default: SIZES },
    runs: { type: 'string', default: '5' },
    fresh: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);

type MeasuredValue = readonly [what: string, found: number, most: number, unit: string];

let isMissed = false;
const browser = await launchChromium();
try {
  for (const size of values.size) {
    const server = fork(join(import.meta.dirname, 'server.ts'), [size, ...(values.fresh ? ['fresh'] : [])]);
    try {
      await measureAtSize(Number(size), server);
    } finally {
      server.kill();
    }
  }
} finally {
  await browser.close();
}
process.exitCode = isMissed ? 1 : 0;

async function measureAtSize(size: number, server: ChildProcess): Promise<void> {
  const message = await waitForMessage(server);
  if (!('workspace' in message)) throw new Error('The server did not send its workspace');
  const { workspace } = message;
  const { base, projects } = workspace;
  const storageState = createStorageState(workspace);
  const board = `${base}/projects/${projects.usual}`;
  const weight = await measureWeight(workspace, board);
  const [longColumn, shortColumns] = [
    await measureWeight(workspace, `${base}/projects/${projects.long}`),
    await measureWeight(workspace, `${base}/projects/${projects.short}`),
  ];
  const move = await measureMoves(browser, storageState, board, runs);
  const palette = await measurePalette(browser, storageState, board, runs);
  console.log(
    `\nA board of 200 cards among ${size.toLocaleString('en')} tasks, the median of ${runs} visits`,
  );
  printValues([
    ['transferred', weight.bytes / 1000, 48, 'KB'],
    ['transferred scripts', weight.scriptBytes / 1000, 26, 'KB'],
    ['transferred styles', weight.styleBytes / 1000, 15, 'KB'],
    ['requests', weight.requests.length, 5, ''],
    ['painted', weight.paintedMs, 900, 'ms'],
    ['usable', weight.usableMs, 1_000, 'ms'],
    ['a move is shown', median(move.shownMs), 50, 'ms'],
    ['a move is shown in a second browser', median(move.elsewhereMs), 300, 'ms'],
    ['the command palette opens', median(palette), 80, 'ms'],
    [`usable, a column of ${workspace.cardsInLong.toLocaleString('en')}`, longColumn.usableMs, 1_000, 'ms'],
    ['usable, columns of 10', shortColumns.usableMs, 1_000, 'ms'],
  ]);
  console.log(
    `\n| screen among ${size.toLocaleString('en')} tasks | trips | rows read | KB | CPU ms |\n| --- | ---: | ---: | ---: | ---: |`,
  );
  server.send('screens');
  const measured = await waitForMessage(server);
  for (const cost of 'screens' in measured ? measured.screens : []) console.log(formatRow(cost));
}

async function waitForMessage(server: ChildProcess): Promise<ServerMessage> {
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`The server exited with code ${code}`);
  });
  const [message] = (await Promise.race([once(server, 'message'), ended])) as [ServerMessage];
  return message;
}

function createStorageState({ cookie }: BenchWorkspace): StorageState {
  const expires = Date.now() / 1000 + DAY_SECONDS;
  const usual = { domain: 'localhost', path: '/', httpOnly: true, secure: false, sameSite: 'Lax' } as const;
  return { cookies: [{ ...cookie, ...usual, expires }], origins: [] };
}

async function measureWeight(workspace: BenchWorkspace, url: string): Promise<PageMeasurements> {
  const storageState = createStorageState(workspace);
  const weights: PageMeasurements[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const weight = await measurePage(browser, storageState, url, { isSlow: true });
    // The first visit only warms up the server.
    if (run > 0) weights.push(weight);
  }
  const [weight] = weights;
  if (!weight) throw new Error('--runs must be at least 1');
  const paintedMs = median(weights.map((each) => each.paintedMs));
  return { ...weight, paintedMs, usableMs: median(weights.map((each) => each.usableMs)) };
}

function printValues(lines: readonly MeasuredValue[]): void {
  for (const [what, found, most, unit] of lines) {
    const verdict = `of ${most.toLocaleString('en')} ${recordVerdict(found <= most)}`;
    console.log(`  ${what.padEnd(36)} ${found.toFixed(1).padStart(8)} ${unit.padEnd(3)} ${verdict}`);
  }
}

function formatRow({ name, trips, rowsRead, bytes, cpuMs }: ScreenCost): string {
  const isWithin = trips <= TRIPS_MAX && rowsRead <= ROWS_MAX && (cpuMs ?? 0) <= CPU_MS_MAX;
  const verdict = isWithin ? '' : ` ${recordVerdict(false)}`;
  const cells = [trips, rowsRead.toLocaleString('en'), (bytes / 1000).toFixed(0), cpuMs?.toFixed(1) ?? '–'];
  return `| ${name}${verdict} | ${cells.join(' | ')} |`;
}

function recordVerdict(isWithin: boolean): string {
  isMissed ||= !isWithin;
  return isWithin ? 'ok' : 'MISSED';
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
