// How heavy and how fast is a board of 200 cards in a browser, among so many tasks?
//   node bench/web/run.ts [--tasks 10000] [--runs 5]
// Starts a server of its own with the demo in it, adds a project, and measures in Chromium as a phone would have it. Exits
// 1 where a bound is missed.
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../test/browser/chromium.ts';
import { type StorageState, signIn } from '../../test/browser/screens.ts';
import { demo, startServer } from '../../test/browser/server.ts';
import { type Weight, weigh } from '../../test/browser/weight.ts';

const A_BULK = 100;
const STATUSES = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '10000' }, runs: { type: 'string', default: '5' } },
});
const [tasks, runs] = [Number(values.tasks), Number(values.runs)];

const server = await startServer();
const browser = await launchChromium();
try {
  const { workspaceId, projectId } = await fill(server.origin);
  const storageState = await signIn(browser, server.origin);
  const board = `${server.origin}/app/${workspaceId}/projects/${projectId}`;
  const weights: Weight[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const weight = await weigh(browser, storageState, board, { isSlow: true });
    // The first visit wakes the server up.
    if (run > 0) weights.push(weight);
  }
  const [weight] = weights;
  if (!weight) throw new Error('--runs must be at least 1');
  const move = await timeMoves(browser, storageState, board);
  const lines: readonly (readonly [what: string, found: number, most: number, unit: string])[] = [
    ['transferred', weight.bytes / 1000, 40, 'KB'],
    ['of it scripts', weight.scriptBytes / 1000, 25, 'KB'],
    ['of it styles', weight.styleBytes / 1000, 15, 'KB'],
    ['requests', weight.requests.length, 5, ''],
    ['painted', median(weights.map(({ paintedMs }) => paintedMs)), 900, 'ms'],
    ['usable', median(weights.map(({ usableMs }) => usableMs)), 1_000, 'ms'],
    ['a move is shown', median(move.shownMs), 50, 'ms'],
    ['a move stands in a second browser', median(move.elsewhereMs), 300, 'ms'],
  ];
  console.log(`A board of 200 cards among ${tasks.toLocaleString('en')} tasks, the median of ${runs} visits`);
  for (const [what, found, most, unit] of lines) {
    const verdict = found <= most ? 'ok' : 'MISSED';
    console.log(
      `  ${what.padEnd(34)} ${found.toFixed(1).padStart(8)} ${unit.padEnd(3)} of ${most} ${verdict}`,
    );
  }
  console.log(`  ${weight.requests.join('\n  ')}`);
  process.exitCode = lines.every(([, found, most]) => found <= most) ? 0 : 1;
} finally {
  await browser.close();
  await server.stop();
}

/** A project with as many tasks, a fifth in each column. */
async function fill(origin: string): Promise<{ workspaceId: string; projectId: number }> {
  const call = async <T>(path: string, body: unknown, token?: string): Promise<T> => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { token, user } = await call<{ token: string; user: { id: string; workspace: { id: string } } }>(
    '/auth/login',
    {
      email: demo.owner,
      password: demo.password,
    },
  );
  const { data } = await call<{ data: { id: number; taskCount: number }[] }>(
    '/projects?limit=100',
    undefined,
    token,
  );
  const project = data.reduce((least, each) => (each.taskCount < least.taskCount ? each : least));
  for (let made = 0; made < tasks; made += A_BULK) {
    const bulk = Array.from({ length: Math.min(A_BULK, tasks - made) }, (_, index) => ({
      projectId: project.id,
      name: `Card ${made + index} of a board that is as long as boards become`,
      status: STATUSES[index % STATUSES.length],
      priority: ['low', 'medium', 'high'][index % 3],
      ...(index % 2 === 0 && { deadline: '2026-12-24', assigneeId: user.id }),
    }));
    await call('/tasks/bulk', { tasks: bulk }, token);
  }
  return { workspaceId: user.workspace.id, projectId: project.id };
}

/** Moves cards by a key in one browser, while another one looks at the same board. */
async function timeMoves(chromium: Browser, storageState: StorageState, board: string) {
  const [one, other] = await Promise.all(
    [0, 1].map(async () => {
      const context = await chromium.newContext({ storageState, viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(board, { waitUntil: 'networkidle' });
      return page;
    }),
  );
  if (!one || !other) throw new Error('two pages were opened');
  const [shownMs, elsewhereMs]: [number[], number[]] = [[], []];
  for (let move = 0; move < runs; move += 1) {
    const link = one.locator('.column[data-status="todo"] .cards > li[data-task] a').first();
    const id = await link.evaluate((each) => each.closest<HTMLElement>('li')?.dataset.task ?? '');
    await link.focus();
    const waits = [one, other].map((page) =>
      page.evaluate(
        (task) =>
          new Promise<number>((done) => {
            const isThere = () =>
              document.querySelector(`.column[data-status="in_progress"] li[data-task="${task}"]`) !== null;
            const timer = setInterval(() => {
              if (!isThere()) return;
              clearInterval(timer);
              done(Date.now());
            }, 4);
          }),
        id,
      ),
    );
    await one.evaluate(() => {
      const note = () => {
        document.documentElement.dataset.pressedAt = String(Date.now());
      };
      document.addEventListener('keydown', note, { once: true, capture: true });
    });
    await one.keyboard.press('2');
    const [shown = 0, elsewhere = 0] = await Promise.all(waits);
    const at = Number(await one.evaluate(() => document.documentElement.dataset.pressedAt));
    shownMs.push(shown - at);
    elsewhereMs.push(elsewhere - at);
    await one.locator('.cards > li.moving').waitFor({ state: 'detached' });
  }
  return { shownMs, elsewhereMs };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
