// `bench/bulk-texts.ts` measures bulk requests with the most expensive text, and how long another tenant waits for a
// list at the same time. That tenant requests lists continuously on its own connection. Each row of the output shows a
// request's time, the database time of its batches, and the other tenant's slowest list.
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type PreparedServer, withServer } from '../scripts/own-server.ts';
import { connect, send } from './load.ts';

const LIST_GAP_MS = 5;
const PASSWORD = 'demo-password-1';
const DESCRIPTION_CHARACTERS = 100_000;
/** How many descriptions of maximum length fit in a body of 1 MiB. */
const LONG_ASCII_TEXTS = 10;
const LONG_WIDE_TEXTS = 3;

let state = 1;

await withServer('bench-bulk-texts', measureBulkTexts);

async function measureBulkTexts({ origin }: PreparedServer) {
  const own = await signIn(origin, 'owner@demo.test');
  const other = await signIn(origin, 'outsider@demo.test');

  const timed = async (label: string, method: 'POST' | 'PATCH', path: string, body: object) => {
    let isOver = false;
    const waits: number[] = [];
    const listing = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        await other('GET', '/v1/tasks');
        waits.push(performance.now() - startedAt);
        await wait(LIST_GAP_MS);
      }
    })();
    const startedAt = performance.now();
    const answer = await own(method, path, body);
    const ms = performance.now() - startedAt;
    // Waits, because work after the response also keeps the cell busy.
    await wait(1_500);
    isOver = true;
    await listing;
    const [, db = '?'] = /db;dur=([\d.]+)/.exec(String(answer.headers['server-timing'])) ?? [];
    const cost = String(answer.headers['x-cost'] ?? '').replace(/statements=\d+ /, '');
    console.log(
      `${label.padEnd(44)} ${String(answer.status)} ${ms.toFixed(0).padStart(6)} ms  db ${db.padStart(7)} ms  other's list ${Math.max(
        ...waits,
      )
        .toFixed(0)
        .padStart(5)} ms  ${cost}`,
    );
    return answer;
  };
  const bulk = async (label: string, count: number, text: () => string) => {
    const tasks = Array.from({ length: count }, (_, index) => ({
      projectId: 1,
      name: `Bulk ${index}`,
      description: text(),
    }));
    const { status, text: answer } = await timed(`create ${label}`, 'POST', '/v1/tasks/bulk', { tasks });
    if (status !== 201) return console.log(answer.slice(0, 300));
    const ids = (JSON.parse(answer) as { data: { task: { id: number } }[] }).data.map(({ task }) => task.id);
    await timed(`archive ${label}`, 'POST', '/v1/tasks/bulk/archive', { ids });
    await timed(`restore ${label}`, 'POST', '/v1/tasks/bulk/unarchive', { ids });
    const updates = ids.map((id) => ({ id, description: text() }));
    await timed(`update ${label}`, 'PATCH', '/v1/tasks/bulk', { updates });
    await timed(`set ${label}`, 'PATCH', '/v1/tasks/bulk', { ids, set: { description: text() } });
    return ids;
  };
  await bulk('100 short texts', 100, () => 'A few words');
  await bulk('60 x 5,100 of 95 characters', 60, () => createRandomText(5_100, 0x20, 95));
  await bulk('60 x 5,100 of 20,000 characters', 60, () => createRandomText(5_100, 0x4e00, 20_000));
  await bulk('80 x 3,900 of 20,000 characters', 80, () => createRandomText(3_900, 0x4e00, 20_000));
  await bulk('100 x 2,500 of 20,000 characters', 100, () => createRandomText(2_500, 0x4e00, 20_000));
  await bulk(`${LONG_ASCII_TEXTS} x 100,000 of 95 characters`, LONG_ASCII_TEXTS, () =>
    createRandomText(DESCRIPTION_CHARACTERS, 0x20, 95),
  );
  await bulk(`${LONG_WIDE_TEXTS} x 100,000 of 20,000 characters`, LONG_WIDE_TEXTS, () =>
    createRandomText(DESCRIPTION_CHARACTERS, 0x4e00, 20_000),
  );

  for (const [label, from, of, count] of [
    ['100,000 of 95 characters', 0x20, 95, LONG_ASCII_TEXTS],
    ['100,000 of 20,000 characters', 0x4e00, 20_000, LONG_WIDE_TEXTS],
  ] as const) {
    const ids: number[] = [];
    while (ids.length < 100) {
      const tasks = Array.from({ length: Math.min(count, 100 - ids.length) }, (_, index) => ({
        projectId: 1,
        name: `Long ${index}`,
        description: createRandomText(DESCRIPTION_CHARACTERS, from, of),
      }));
      const { text } = await own('POST', '/v1/tasks/bulk', { tasks });
      ids.push(...(JSON.parse(text) as { data: { task: { id: number } }[] }).data.map(({ task }) => task.id));
    }
    await wait(10_000);
    await timed(`archive 100 x ${label}`, 'POST', '/v1/tasks/bulk/archive', { ids });
    await timed(`restore 100 x ${label}`, 'POST', '/v1/tasks/bulk/unarchive', { ids });
    await timed(`set priority of 100 x ${label}`, 'PATCH', '/v1/tasks/bulk', {
      ids,
      set: { priority: 'high' },
    });
    await timed(`set description of 100 x ${label}`, 'PATCH', '/v1/tasks/bulk', {
      ids,
      set: { description: createRandomText(DESCRIPTION_CHARACTERS, from, of) },
    });
  }
  console.log(`load ${loadavg()[0]?.toFixed(2)}`);
}

async function signIn(origin: string, email: string) {
  const client = connect(new URL(origin));
  let token = '';
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    return await send(client, {
      method,
      path,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    } as never);
  };
  const answer = await call('POST', '/v1/auth/login', { email, password: PASSWORD });
  ({ token } = JSON.parse(answer.text) as { token: string });
  return call;
}

/** Returns text that looks random, but is the same in every run. */
function createRandomText(length: number, first: number, of: number): string {
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(first + ((state >>> 8) % of));
  }).join('');
}
