// `bench/bulk.ts` compares how many tasks per second are created by POST /v1/tasks/bulk (100 items per request) and by
// POST /v1/tasks. Both use the same connection to a new demo server. The rounds alternate between the endpoints, so
// that machine load affects both, and each speed is the median of nine rounds. `--latency 50` waits 50 ms before each
// request. Exits with 1 if bulk isn't at least 20 times as fast.
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type PreparedServer, withServer } from '../scripts/own-server.ts';
import { connect, send } from './load.ts';

const ROUNDS = 9;
const ITEMS_PER_BULK = 100;
const SINGLE_REQUESTS = 100;
const SPEEDUP_MIN = 20;

const { values } = parseArgs({ options: { latency: { type: 'string', default: '0' } } });
const latencyMs = Number(values.latency);

await withServer('bench-bulk', compareSpeeds);

async function compareSpeeds({ origin }: PreparedServer) {
  const client = connect(new URL(origin));
  const call = async (path: string, body: object, token?: string) => {
    if (latencyMs > 0) await wait(latencyMs);
    const headers = {
      'Content-Type': 'application/json',
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    };
    const answer = await send(client, { method: 'POST', path, headers, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`POST ${path} returned ${answer.status}: ${answer.text}`);
    return answer.text;
  };
  const signedIn = await call('/v1/auth/login', { email: 'owner@demo.test', password: 'demo-password-1' });
  const { token } = JSON.parse(signedIn) as { token: string };
  const draft = (index: number) => ({ projectId: 1, name: `Item ${index}`, deadline: '2040-03-02' });
  const tasks = Array.from({ length: ITEMS_PER_BULK }, (_, index) => draft(index));
  const single = async () => {
    for (let index = 0; index < SINGLE_REQUESTS; index += 1) await call('/v1/tasks', draft(index), token);
    return SINGLE_REQUESTS;
  };
  const bulk = async () => {
    for (let turn = 0; turn < 5; turn += 1) await call('/v1/tasks/bulk', { tasks }, token);
    return 5 * ITEMS_PER_BULK;
  };
  await single();
  await bulk();
  const speeds: Record<'single' | 'bulk', number[]> = { single: [], bulk: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    speeds.single.push(await measureSpeed(single));
    speeds.bulk.push(await measureSpeed(bulk));
  }
  await client.close();
  const [one, many] = [median(speeds.single), median(speeds.bulk)];
  console.log(`single  ${one.toFixed(0)} tasks per second`);
  console.log(`bulk    ${many.toFixed(0)} tasks per second`);
  console.log(
    `${(many / one).toFixed(1)} times as fast (at least ${SPEEDUP_MIN}); load ${loadavg()[0]?.toFixed(2)}`,
  );
  if (many / one < SPEEDUP_MIN) process.exitCode = 1;
}

/** Returns tasks per second. */
async function measureSpeed(work: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const tasks = await work();
  return (1000 * tasks) / (performance.now() - startedAt);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
