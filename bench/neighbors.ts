// Measures how much a workspace with many open boards and changes slows down another workspace in the same cell.
//   node scripts/install.mjs bench/neighbors.ts [--boards 300] [--changes 10] [--seconds 10] [--rounds 12] [--shared]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root } from '../scripts/databases.ts';
import { prepareServer } from '../scripts/own-server.ts';
import { createId, createSecret, hashSecret } from '../src/kernel/secrets/tokens.ts';
import { connect, send } from './load.ts';
import type { NoiseCommand, NoiseFigures, NoiseOptions } from './neighbors/noise.ts';
import { describeRound, describeRounds, findProblems, type Round } from './neighbors/rounds.ts';
import { type BenchServers, lowerPriority, startBenchServers } from './neighbors/runtimes.ts';
import type { Call } from './request.ts';

const { values } = parseArgs({
  options: {
    boards: { type: 'string', default: '300' },
    changes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '12' },
    /** Runs both workspaces and their databases in one process, as `npm start` does, so that they share a processor. */
    shared: { type: 'boolean', default: false },
  },
});
const [boards, changes, seconds, rounds] = [values.boards, values.changes, values.seconds, values.rounds].map(
  Number,
) as [number, number, number, number];

/** Stays below the 30 sockets per person that the hub accepts. */
const BOARDS_PER_PERSON = 20;
const TASKS_ADDED = 600;
const TASKS_PER_BULK = 100;
const DAY_MS = 86_400_000;
const PASSWORD = 'demo-password-1';
const THINK_MS = 40;
/** After this time, boards refresh at a steady rate. */
const LEAD_MS = 2_000;

process.chdir(root);
const prepared = await prepareServer('neighbors');
let servers: BenchServers | null = null;
try {
  servers = await startBenchServers(prepared, values.shared);
  await compareServers(servers);
} finally {
  await servers?.stop();
  prepared.remove();
}

async function compareServers(at: BenchServers): Promise<void> {
  const noise = await prepareNoisyWorkspace(at);
  const requests = await prepareQuietWorkspace(at);
  const child = fork(join(import.meta.dirname, 'neighbors', 'noise.ts'));
  if (child.pid) lowerPriority(child.pid);
  const sendCommand = (given: NoiseCommand) => child.send(given);
  sendCommand({ open: noise });
  await once(child, 'message');
  console.log(`${boards} boards are open`);
  await measureLatencies(at.quiet, requests, 5);

  const measured: Round[] = [];
  const measureWithoutNoise = () => measureLatencies(at.quiet, requests, seconds);
  const measureWithNoise = async () => {
    sendCommand({ isPaused: false });
    await sleep(LEAD_MS);
    const before = at.cpuMs();
    const withNoise = await measureLatencies(at.quiet, requests, seconds);
    const cpuMs = Object.entries(at.cpuMs()).map(
      ([name, ms]) => [name, (ms ?? 0) - (before[name] ?? 0)] as const,
    );
    const answer = once(child, 'message');
    sendCommand({ isPaused: true });
    const [figures] = (await answer) as [NoiseFigures];
    return { withNoise, cpuMs, figures };
  };
  for (let round = 0; round < rounds; round += 1) {
    // Alternates the order, so that other load on the machine affects both measurements equally.
    const first = round % 2 === 0 ? await measureWithoutNoise() : null;
    const noisy = await measureWithNoise();
    const pair = { withoutNoise: first ?? (await measureWithoutNoise()), ...noisy };
    console.log(describeRound(pair));
    measured.push(pair);
  }
  child.disconnect();
  console.log(describeRounds(measured, seconds, LEAD_MS));
  const problems = findProblems(measured, changes * (seconds + LEAD_MS / 1_000));
  for (const problem of problems) console.error(`FAIL ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

async function measureLatencies(origin: string, requests: readonly Call[], s: number): Promise<number[]> {
  const client = connect(new URL(origin));
  const latencies: number[] = [];
  const deadline = performance.now() + s * 1_000;
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    const request = requests[turn % requests.length] as Call;
    const sentAt = performance.now();
    const { status } = await send(client, request);
    if (status >= 300) throw new Error(`${request.method} ${request.path} returned ${status}`);
    latencies.push(performance.now() - sentAt);
    await sleep(Math.random() * 2 * THINK_MS);
  }
  await client.close();
  return latencies;
}

async function logIn(origin: string, email: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return ((await answer.json()) as { token: string }).token;
}

async function callApi<T>(origin: string, token: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${origin}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

type IdList = { data: { id: number }[] };

async function prepareNoisyWorkspace({ noisy: origin, databases }: BenchServers): Promise<NoiseOptions> {
  const token = await logIn(origin, 'owner@demo.test');
  const { workspace } = await callApi<{ workspace: { id: string } }>(origin, token, '/me');
  const { data } = await callApi<IdList>(origin, token, '/projects');
  const projects = data.map(({ id }) => id);
  for (let added = 0; added < TASKS_ADDED; added += TASKS_PER_BULK) {
    const tasks = Array.from({ length: TASKS_PER_BULK }, (_, index) => ({
      projectId: projects[index % projects.length],
      name: `Task ${added + index}`,
    }));
    await callApi(origin, token, '/tasks/bulk', { tasks });
  }
  const tasks = (await callApi<IdList>(origin, token, '/tasks?limit=100')).data.map(({ id }) => id);
  const people = Math.ceil(boards / BOARDS_PER_PERSON);
  const sessions: string[] = [];
  for (let person = 0; person < people; person += 1)
    sessions.push(await addPerson(databases, workspace.id, `person${person}@demo.test`, person));
  return {
    origin,
    base: `/app/${workspace.id}`,
    cookies: Array.from({ length: boards }, (_, index) => `ew_session=${sessions[index % people]}`),
    projects,
    tasks,
    token,
    changesPerSecond: changes,
  };
}

async function addPerson(
  { DIRECTORY, CELL_0 }: BenchServers['databases'],
  workspaceId: string,
  email: string,
  number: number,
): Promise<string> {
  const userId = createId('usr');
  const now = Date.now();
  await DIRECTORY.batch([
    DIRECTORY.prepare(
      'INSERT INTO users (id, email, email_key, name, verified_at, created_at) VALUES (?1, ?2, ?2, ?2, ?3, ?3)',
    ).bind(userId, email, now),
    DIRECTORY.prepare('INSERT INTO memberships (user_id, workspace_id, joined_at) VALUES (?, ?, ?)').bind(
      userId,
      workspaceId,
      now,
    ),
  ]);
  await CELL_0.prepare(
    `INSERT INTO members (no, ws, user_id, role, name, email, email_key, cells, created_at)
     SELECT ?1, no, ?2, 'admin', ?3, ?3, ?3, '[0]', ?4 FROM workspaces WHERE id = ?5`,
  )
    .bind(1_000_000 + number, userId, email, now, workspaceId)
    .run();
  return addSession(DIRECTORY, userId);
}

async function addSession(directory: D1Database, userId: string): Promise<string> {
  const session = createSecret();
  await directory
    .prepare('INSERT INTO browser_sessions (id_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)')
    .bind(hashSecret(session), userId, Date.now(), Date.now() + DAY_MS)
    .run();
  return session;
}

async function prepareQuietWorkspace({
  quiet: origin,
  databases: { DIRECTORY },
}: BenchServers): Promise<Call[]> {
  const token = await logIn(origin, 'outsider@demo.test');
  const { id, workspace } = await callApi<{ id: string; workspace: { id: string } }>(origin, token, '/me');
  const base = `/app/${workspace.id}`;
  const session = `ew_session=${await addSession(DIRECTORY, id)}`;
  const opened = await fetch(origin + base, { headers: { Cookie: session }, redirect: 'manual' });
  await opened.text();
  const places = opened.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const cookie = [session, ...places].join('; ');
  const [{ id: project } = { id: 0 }] = (await callApi<IdList>(origin, token, '/projects')).data;
  const [{ id: task } = { id: 0 }] = (await callApi<IdList>(origin, token, '/tasks')).data;
  const api = { Authorization: `Bearer ${token}` };
  const page = { Cookie: cookie, Accept: 'text/html' };
  const read = (path: string, headers: Record<string, string>): Call => ({
    method: 'GET',
    path,
    headers,
    body: null,
  });
  const change = (status: string): Call => ({
    method: 'PATCH',
    path: `/v1/tasks/${task}`,
    headers: { ...api, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  return [
    read(`${base}/projects/${project}`, page),
    read('/v1/tasks', api),
    change('in_progress'),
    read(`${base}/tasks/${task}`, page),
    read(`/v1/tasks/${task}`, api),
    change('todo'),
  ];
}
