// Runs the documented examples as separate processes, on every installed Node version from 20 up.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { demo } from '../browser/server.ts';
import { HANG_MS } from '../support/timeout.ts';

const folder = mkdtempSync(join(tmpdir(), 'edgework-examples-'));
const running: ChildProcess[] = [];
let prepared: PreparedServer;
let server: RunningServer;
let token = '';

/** Paths of the project's Node and the other installed versions, by major version. */
const nodes = new Map<string, string>();
for (const path of [
  process.execPath,
  ...(process.env.PATH ?? '').split(delimiter).map((each) => join(each, 'node')),
]) {
  if (!existsSync(path)) continue;
  const [major = ''] = execFileSync(path, ['--version'], { encoding: 'utf8' }).slice(1).split('.');
  if (Number(major) >= 20 && !nodes.has(major)) nodes.set(major, path);
}

before(async () => {
  prepared = await prepareServer('examples-test');
  server = await startServer(prepared);
  token = (await callApi('POST', '/auth/login', { email: demo.owner, password: demo.password })).token;
});
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server?.stop();
  prepared?.remove();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: the type depends on the endpoint.
async function callApi(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${prepared.origin}/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

function runExample(node: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(node, args, { env: { ...process.env, NODE_OPTIONS: '', ...env } });
  running.push(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output.text += part;
    });
  }
  return { child, output };
}

async function waitUntil(isSo: () => unknown, what: () => string) {
  for (const end = Date.now() + HANG_MS; !(await isSo()); await sleep(100)) {
    assert.ok(Date.now() < end, what());
  }
}

async function findProjectId(): Promise<number> {
  return (await callApi('GET', '/projects?limit=1')).data[0].id;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

for (const [major, node] of nodes) {
  test(`mirror.mjs keeps its copy correct on Node ${major} after being killed`, async () => {
    const file = join(folder, `copy-${major}.json`);
    const read = () => {
      if (!existsSync(file)) return { after: 0, tasks: new Map() };
      const { after: cursor, tasks } = JSON.parse(readFileSync(file, 'utf8'));
      return { after: cursor as number, tasks: new Map<number, object>(tasks) };
    };
    const startMirror = () => runExample(node, ['docs/examples/mirror.mjs', prepared.origin, token, file]);
    const first = startMirror();
    const project = await findProjectId();
    const create = async (name: string) => (await callApi('POST', '/tasks', { projectId: project, name })).id;
    // The example writes its copy only when it receives a change, so this creates tasks until the file exists.
    await waitUntil(
      async () => existsSync(file) || !(await create(`Before ${major}`)),
      () => first.output.text,
    );
    const made = await create(`Copied ${major}`);
    await waitUntil(
      () => read().tasks.has(made),
      () => first.output.text,
    );
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const missed = await create(`Missed ${major}`);
    await callApi('POST', `/tasks/${made}/archive`);
    const second = startMirror();
    await waitUntil(
      () => read().tasks.has(missed),
      () => second.output.text,
    );
    const { meta } = await callApi('GET', '/events');
    await waitUntil(
      () => read().after >= meta.nextAfter,
      () => second.output.text,
    );
    const copy = read().tasks;
    const listed = new Map<number, object>();
    for (const isArchived of [false, true]) {
      for (let offset = 0, more = true; more; offset += 100) {
        const page = await callApi(
          'GET',
          `/tasks?scope=all&isArchived=${isArchived}&limit=100&offset=${offset}`,
        );
        for (const task of page.data) listed.set(task.id, task);
        more = page.meta.hasMore;
      }
    }
    assert.deepEqual(copy, listed);
    second.child.kill('SIGKILL');
  });

  test(`webhook-receiver.mjs handles each event once on Node ${major}, even in batches and after a replay`, async () => {
    const port = await findFreePort();
    const hook = await callApi('POST', '/webhooks', {
      url: `http://localhost:${port}/`,
      types: ['task.*'],
      batch: true,
    });
    await callApi('PATCH', `/webhooks/${hook.id}`, { status: 'paused' });
    const { child, output } = runExample(node, ['docs/examples/webhook-receiver.mjs', String(port)], {
      WEBHOOK_SECRET: hook.secret,
    });
    await waitUntil(
      () => output.text.includes('listening'),
      () => output.text,
    );
    const project = await findProjectId();
    for (let n = 0; n < 4; n += 1) await callApi('POST', '/tasks', { projectId: project, name: `Sent ${n}` });
    const feed = await callApi('GET', `/events?after=${hook.cursor}&types=task.*`);
    const expected = feed.data.map(({ seq }: { seq: number }) => seq);
    const isCaughtUp = async () => (await callApi('GET', `/webhooks/${hook.id}`)).cursor >= expected.at(-1);
    await callApi('PATCH', `/webhooks/${hook.id}`, { status: 'active' });
    await waitUntil(isCaughtUp, () => output.text);
    // Sends the same events again from an earlier cursor, now with one event per message.
    await callApi('PATCH', `/webhooks/${hook.id}`, { batch: false });
    await callApi('POST', `/webhooks/${hook.id}/replay`, { after: expected[0] });
    await waitUntil(isCaughtUp, () => output.text);
    const taken = [...output.text.matchAll(/^(\d+) task\./gm)].map(([, seq]) => Number(seq));
    assert.deepEqual(taken, expected);
    await callApi('DELETE', `/webhooks/${hook.id}`);
    child.kill('SIGKILL');
  });
}

test('this machine has a Node version that can run the examples', () => {
  assert.ok(nodes.size > 0);
});
