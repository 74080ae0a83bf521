// Which statements does a request send? Asked of the real worker, once, so that the bare one can send the same.

import { fetchCall } from './load.mjs';
import { bareWorker, copyDatabase, startRuntime, worker } from './runtime.mjs';

const GUARD = 'EW_GUARD_FAILED';

/**
 * Records every timed request of every world; the databases of the bare workers become copies of those of the real ones.
 * @param scenes `{ size, requests, appDatabase, bareDatabase }`; requests that follow a Link header get their variants.
 * @returns bare workers, one a scene.
 */
export async function recordBareWorkers(scenes, { folder, recorder, bare, nameOf }) {
  const runtime = await startRuntime(
    scenes.map(({ size, appDatabase }) => worker(`recorder-${size}`, recorder, appDatabase)),
    folder,
  );
  const plans = [];
  try {
    for (const { size, requests } of scenes) {
      plans.push(await recordScene(requests, runtime.urls.get(`recorder-${size}`)));
    }
  } finally {
    await runtime.stop();
  }
  return scenes.map((scene, index) => {
    copyDatabase(folder, scene.appDatabase.CELL_0.id, scene.bareDatabase.CELL_0.id);
    return bareWorker(nameOf(scene), bare, scene.bareDatabase, plans[index]);
  });
}

async function recordScene(requests, url) {
  const sql = new Map();
  const numberOf = (text) => {
    if (!sql.has(text)) sql.set(text, sql.size);
    return sql.get(text);
  };
  const recorded = {};
  for (const request of requests) {
    if (request.follows) request.variants = await followLink(request.follows, url);
    for (const call of request.variants.flat()) {
      if (!request.isWrite) await record(call, url);
      const { status, body, batches } = await record(call, url);
      recorded[planKey(call)] = {
        status,
        shape: request.shape,
        constants: constantsOf(request.shape, body),
        batches: batches.map((batch) =>
          batch.filter((each) => !each.sql.includes(GUARD)).map((each) => [numberOf(each.sql), each.params]),
        ),
      };
    }
  }
  return { sql: [...sql.keys()], requests: recorded };
}

async function record(call, url) {
  const answer = await fetchCall(url, call);
  const recorded = JSON.parse(answer.text);
  if (recorded.status >= 300) {
    throw new Error(
      `${call.method} ${call.path} answered ${recorded.status}: ${JSON.stringify(recorded.body)}`,
    );
  }
  return recorded;
}

/** The next page as the answer names it; no variants where it names none. */
async function followLink(call, url) {
  const { headers } = await record(call, url);
  const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
  if (!next) return [];
  const { pathname, search } = new URL(next);
  return [[{ ...call, path: `${pathname}${search}` }]];
}

function planKey({ method, path, body }) {
  return `${method} ${path} ${body ?? ''}`;
}

/** What an answer says that does not come from rows. */
function constantsOf(shape, body) {
  if (shape !== 'workload')
    return { meta: body.meta && { limit: body.meta.limit, offset: body.meta.offset } };
  const { workloads, ...frame } = body;
  const [{ capacityHours, breakdown }] = workloads;
  const rows = breakdown.map(({ key, label, color }) => ({
    key,
    label,
    color,
    column: key.replace('-', '_'),
  }));
  return { frame, capacityHours, rows };
}
