import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../bundle.ts';
import { readDatabases } from '../databases.ts';
import { createLocalSecrets, findFreePort } from '../local.ts';
import { send, sendDocumentRequests } from '../openapi/requests.ts';
import { openRuntime, readWorker, toWorkerModules } from '../runtime.ts';
import { runWrangler } from '../wrangler.ts';
import { START_TIME, startClockAt } from './clock.ts';
import { type SentStatement, SOURCE_HEADER } from './sent-statement.ts';

/** Task lists with few parameters, because the examples in the OpenAPI document use all parameters at once. */
const lists = [
  'tasks',
  'tasks?sort=due',
  'tasks?sort=updated',
  'tasks?scope=mine',
  'tasks?scope=mine&sort=due',
  'tasks?search=poster',
];

export async function collectStatements(): Promise<SentStatement[]> {
  const state = mkdtempSync(join(tmpdir(), 'edgework-statements-'));
  for (const { binding } of readDatabases()) {
    runWrangler(['d1', 'migrations', 'apply', binding, '--local', `--persist-to=${state}`]);
  }
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  // Without queues, requests send their own email, so the statements for email are traced, too.
  const { queueProducers: _producers, queueConsumers: _consumers, ...options } = readWorker().options;
  const modules = toWorkerModules(bundle('scripts/statements/trace-worker.ts', join(state, 'bundle')));
  const bindings = { ...options.bindings, ...createLocalSecrets(), PUBLIC_URL: origin };
  const folder = join(state, 'v3');
  const runtime = await openRuntime({ port, folder, workers: [{ ...options, ...modules, bindings }] });
  try {
    return await sendRequests(origin);
  } finally {
    await runtime.dispose();
    rmSync(state, { recursive: true, force: true });
  }
}

async function sendRequests(origin: string): Promise<SentStatement[]> {
  startClockAt(START_TIME);
  // Imported after the clock has started, because these modules read the time.
  const { jobs } = await import('../../bench/agents/jobs.ts');
  const { grantToken, visitPage } = await import('../../test/clients/consent.ts');
  const get = async (path: string) => {
    const answer = await send({ method: 'GET', url: origin + path, headers: {}, body: null });
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${answer.text}`);
    return answer.text;
  };
  await get('/trace/demo');
  const token = await grantToken(origin);
  for (const { runScript } of jobs) {
    // Ignores errors, because uploads fail: the R2 emulation uses a different clock.
    await runScript((tool, args = {}) => callTool(origin, token, tool, args)).catch(() => undefined);
  }
  for (const list of lists) {
    const headers = { Authorization: `Bearer ${token}` };
    await send({ method: 'GET', url: `${origin}/v1/${list}`, headers, body: null });
  }
  const home = await visitPage({ url: new URL(`${origin}/app`) });
  const base = home.headers.get('Location') ?? '';
  for (const path of JSON.parse(await get('/trace/pages'))) {
    await visitPage({ url: new URL(base + path.replace(/:\w+/g, '1'), origin) });
  }
  await sendDocumentRequests(origin, JSON.parse(await get('/openapi.json')));
  await get('/trace/jobs');
  return JSON.parse(await get('/trace/statements'));
}

async function callTool(origin: string, token: string, name: string, args: object) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const headers = {
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': '2025-11-25',
    [SOURCE_HEADER]: `tool ${name}`,
  };
  const { text } = await send({ method: 'POST', url: `${origin}/mcp`, headers, body });
  return JSON.parse(text).result.structuredContent;
}
