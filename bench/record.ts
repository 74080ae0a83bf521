// Records the statements of a request to the real worker, except its guards, so that the bare worker can repeat them.
import type { Module } from '../scripts/bundle.ts';
import type { RecordedRequest, RecordedRequests } from './bare-worker.ts';
import { sendSingleCall } from './load.ts';
import type { Call, TimedRequest, Variant } from './request.ts';
import {
  copyDatabase,
  createBareWorkerOptions,
  createWorkerOptions,
  type Databases,
  getWorkerUrl,
  startRuntime,
} from './runtime.ts';

const GUARD_MARKER = 'EW_GUARD_FAILED';

/** The databases and requests of one seed size. */
export interface Scenario {
  readonly size: number;
  readonly requests: readonly TimedRequest[];
  readonly appDatabase: Databases;
  readonly bareDatabase: Databases;
}

interface RecordingOptions {
  readonly folder: string;
  readonly recorder: readonly Module[];
  readonly bare: readonly Module[];
  readonly getWorkerName: (scenario: Scenario) => string;
}

interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly batches: readonly (readonly { sql: string; params: readonly unknown[] }[])[];
}

/**
 * Records the SQL of every compared request in each scenario, and fills in the variants of requests that follow a Link
 * header. Returns the options of one bare worker per scenario, each with its own copy of the database.
 */
export async function recordBareWorkers(
  scenarios: readonly Scenario[],
  { folder, recorder, bare, getWorkerName }: RecordingOptions,
) {
  const runtime = await startRuntime(
    scenarios.map(({ size, appDatabase }) => createWorkerOptions(`recorder-${size}`, recorder, appDatabase)),
    folder,
  );
  const plans: RecordedRequests[] = [];
  try {
    for (const { size, requests } of scenarios) {
      plans.push(await recordScenario(requests, getWorkerUrl(runtime, `recorder-${size}`)));
    }
  } finally {
    await runtime.stop();
  }
  return scenarios.map((scenario, index) => {
    copyDatabase(folder, scenario.appDatabase.CELL_0.id, scenario.bareDatabase.CELL_0.id);
    return createBareWorkerOptions(
      getWorkerName(scenario),
      bare,
      scenario.bareDatabase,
      plans[index] ?? { sql: [], requests: {} },
    );
  });
}

async function recordScenario(requests: readonly TimedRequest[], url: URL): Promise<RecordedRequests> {
  const sql = new Map<string, number>();
  const getStatementNumber = (text: string): number => {
    const number = sql.get(text) ?? sql.size;
    sql.set(text, number);
    return number;
  };
  const recorded: Record<string, RecordedRequest> = {};
  for (const request of requests) {
    if (request.follows) request.variants = await followLink(request.follows, url);
    if (!request.isCompared) continue;
    for (const call of request.variants.flat()) {
      if (!request.isWrite) await recordCall(call, url);
      const { status, batches } = await recordCall(call, url);
      recorded[buildRequestKey(call)] = {
        status,
        batches: batches.map((batch) =>
          batch
            .filter((each) => !each.sql.includes(GUARD_MARKER))
            .map((each) => [getStatementNumber(each.sql), each.params] as const),
        ),
      };
    }
  }
  return { sql: [...sql.keys()], requests: recorded };
}

async function recordCall(call: Call, url: URL): Promise<RecordedResponse> {
  const answer = await sendSingleCall(url, call);
  const recorded: RecordedResponse = JSON.parse(answer.text);
  if (recorded.status >= 300) {
    throw new Error(
      `${call.method} ${call.path} returned ${recorded.status}: ${JSON.stringify(recorded.body)}`,
    );
  }
  return recorded;
}

async function followLink(call: Call, url: URL): Promise<Variant[]> {
  const { headers } = await recordCall(call, url);
  const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
  if (!next) return [];
  const { pathname, search } = new URL(next);
  return [[{ ...call, path: `${pathname}${search}` }]];
}

function buildRequestKey({ method, path, body }: Call): string {
  return `${method} ${path} ${body ?? ''}`;
}
