// Opens many pages of one workspace, restarts the server, and measures how fast the pages reconnect and how many
// queries they cause.
//   node scripts/install.mjs bench/live/run.ts [--pages 5000]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareServer, startServer } from '../../scripts/own-server.ts';
import { demo } from '../../test/browser/server.ts';
import { addSignedInMembers } from './members.ts';
import { SimulatedPage } from './page.ts';

const PAGES_PER_PERSON = 25;
/** A realistic rate for a morning at a large company. */
const PAGES_OPENED_PER_SECOND = 200;
const RECONNECT_MS_MAX = 60_000;
const QUERIES_PER_SECOND_MAX = 50;
const SETTLED_MS_MAX = 20 * 60_000;
/** How long the hub collects sockets before it checks them (src/events/hub/workspace-hub.ts). */
const ADMISSION_MS = 250;

const { values } = parseArgs({ options: { pages: { type: 'string', default: '5000' } } });
const pageCount = Number(values.pages);

const prepared = await prepareServer('live-bench');
const people = Math.ceil(pageCount / PAGES_PER_PERSON);
let server: Awaited<ReturnType<typeof startServer>> | null = null;
const pages: SimulatedPage[] = [];
/**
 * The number of queries in each second. A refresh counts as one query per round trip, in the second in which it was
 * due. All admissions within `ADMISSION_MS` count as one query.
 */
const queries = new Map<number, number>();
const admissions = new Set<number>();
let firstAdmittedAt = Number.POSITIVE_INFINITY;

try {
  const { workspaceId, cookies } = addSignedInMembers(prepared.state, people);
  server = await startServer(prepared);
  const address = `/app/${workspaceId}`;
  const load = { origin: prepared.origin, address, onRefresh: countQueries, onAdmission };
  const token = await signIn();
  for (const secret of cookies) {
    const cookie = await openWorkspace(address, secret);
    for (let index = 0; index < PAGES_PER_PERSON && pages.length < pageCount; index += 1)
      pages.push(new SimulatedPage(load, cookie));
  }
  console.log(`Opening ${pages.length} pages of ${people} people …`);
  for (const [index, page] of pages.entries()) {
    page.connect();
    if (index % PAGES_OPENED_PER_SECOND === PAGES_OPENED_PER_SECOND - 1) await sleep(1_000);
  }
  await waitForAllPages(({ isConnected }) => isConnected);
  console.log('All pages are connected. Restarting the server and changing a task …');
  queries.clear();
  firstAdmittedAt = Number.POSITIVE_INFINITY;
  await server.kill();
  const killedAt = Date.now();
  server = await startServer(prepared, true);
  // Uses the earlier time, because the response to GET /health may arrive after the first of thousands of admissions.
  const startedAt = Math.min(Date.now(), firstAdmittedAt);
  await changeTask(token);
  await waitForAllPages(({ isConnected }) => isConnected);
  const backMs = Date.now() - startedAt;
  const seq = Math.max(...pages.map((page) => page.seq ?? 0));
  await waitForAllPages(({ shownSeq }) => (shownSeq ?? 0) >= seq);
  const shownMs = Date.now() - startedAt;
  const changedAt = Date.now();
  await changeTask(token);
  await waitForAllPages((page) => (page.seq ?? 0) > seq);
  await waitForAllPages(({ seq: known, shownSeq }) => shownSeq === known);
  const most = Math.max(...queries.values());
  const figures = {
    'server down': `${startedAt - killedAt} ms`,
    'all reconnected after the start': `${backMs} ms (${RECONNECT_MS_MAX} allowed)`,
    'change during restart, shown by all after': `${shownMs} ms`,
    'next change, shown by all after': `${Date.now() - changedAt} ms`,
    'most queries in a second': `${most} (${QUERIES_PER_SECOND_MAX} allowed)`,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(42)} ${value}`);
  process.exitCode = backMs <= RECONNECT_MS_MAX && most <= QUERIES_PER_SECOND_MAX ? 0 : 1;
} finally {
  for (const page of pages) page.close();
  await server?.kill();
  prepared.remove();
}
process.exit();

function countQueries(at: number, trips: number) {
  const second = Math.floor(at / 1_000);
  queries.set(second, (queries.get(second) ?? 0) + trips);
}

/** Sockets that are admitted within the same `ADMISSION_MS` share one query. */
function onAdmission() {
  firstAdmittedAt = Math.min(firstAdmittedAt, Date.now());
  const batch = Math.floor(Date.now() / ADMISSION_MS);
  if (admissions.has(batch)) return;
  admissions.add(batch);
  countQueries(Date.now(), 1);
}

async function signIn(): Promise<string> {
  const response = await fetch(`${prepared.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: demo.owner, password: demo.password }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function changeTask(token: string) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const list = await fetch(`${prepared.origin}/v1/tasks?limit=1`, { headers });
  const { data } = (await list.json()) as { data: { id: number }[] };
  const response = await fetch(`${prepared.origin}/v1/tasks/${data[0]?.id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ name: `Changed at ${Date.now()}` }),
  });
  if (!response.ok) throw new Error(`The task wasn't changed: ${await response.text()}`);
}

async function openWorkspace(address: string, secret: string): Promise<string> {
  const session = `ew_session=${secret}`;
  const response = await fetch(`${prepared.origin}${address}/board`, { headers: { Cookie: session } });
  await response.arrayBuffer();
  const place = response.headers.getSetCookie().find((each) => each.startsWith('ew_place='));
  if (!response.ok || !place) throw new Error(`The board returned ${response.status} and no location cookie`);
  return `${session}; ${place.split(';')[0]}`;
}

async function waitForAllPages(is: (page: SimulatedPage) => boolean) {
  for (const end = Date.now() + SETTLED_MS_MAX; !pages.every(is); await sleep(50)) {
    if (Date.now() > end)
      throw new Error(
        `Only ${pages.filter(is).length} of ${pages.length} pages after ${SETTLED_MS_MAX} ms: ${is}`,
      );
  }
}
