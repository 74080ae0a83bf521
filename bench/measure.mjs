import { isDeepStrictEqual } from 'node:util';
import { connect, quantile, send } from './load.mjs';
import { dollarsAMillion } from './price.mjs';

const ROUNDS = 8;
const WARM_CALLS = 30;
const WARM_MS = 1_500;
/** A request so slow that its rounds overrun gets no more of them after so many times its share. */
const OVERRUN_MAX = 3;
/** Of a request with many variants, so many are asked what they cost. */
const COSTED_VARIANTS = 16;

/** The bare worker must answer what the real one answers, or the comparison is worth nothing. */
export async function requireSameAnswers(requests, appUrl, bareUrl) {
  const [app, bare] = [connect(appUrl), connect(bareUrl)];
  for (const request of requests) {
    for (const call of request.variants.flat()) {
      const answers = [await send(app, call), await send(bare, call)];
      const [real, plain] = answers.map(({ status, text }) => ({ status, body: timeless(text, request) }));
      if (isDeepStrictEqual(real, plain)) continue;
      throw new Error(
        `The bare worker answers ${call.method} ${call.path} differently; bench/bare-worker.mjs must follow: ${difference(real, plain)}`,
      );
    }
  }
  await Promise.all([app.close(), bare.close()]);
}

/** The first place where they differ. */
function difference(real, plain, path = '') {
  if (real === null || plain === null || typeof real !== 'object' || typeof plain !== 'object') {
    return `${path} is ${JSON.stringify(real)}, the bare worker says ${JSON.stringify(plain)}`;
  }
  const names = [...new Set([...Object.keys(real), ...Object.keys(plain)])];
  const name = names.find((each) => !isDeepStrictEqual(real[each], plain[each]));
  return difference(real[name] ?? null, plain[name] ?? null, `${path}/${name}`);
}

/** A recorded write carries the time of its recording. */
function timeless(text, { isWrite }) {
  try {
    return JSON.parse(text, (key, value) => (isWrite && /^(created|updated)At$/.test(key) ? null : value));
  } catch {
    return text;
  }
}

/** What the answers of a warm worker say that they cost: of all variants the most, and each against its budget. */
export async function costOf(request, url) {
  const client = connect(url);
  const costs = [];
  const variants = request.variants.length > 0 ? request.variants : await followed(client, request.follows);
  for (const variant of variants.slice(0, COSTED_VARIANTS)) {
    for (const call of variant) {
      if (!request.isWrite) await send(client, call);
      const answer = await send(client, call);
      if (answer.status >= 300)
        throw new Error(`${call.method} ${call.path} answered ${answer.status}: ${answer.text}`);
      const cost = parseCost(answer.headers['x-cost']);
      costs.push({ cost, budget: request.budget(JSON.parse(answer.text)) });
    }
  }
  await client.close();
  const most = (name) => Math.max(...costs.map(({ cost }) => cost[name]));
  // The answer that comes nearest to its budget, or furthest beyond, speaks for all.
  const worst = (name) => costs.reduce((a, b) => (share(b, name) > share(a, name) ? b : a));
  return {
    trips: most('trips'),
    statements: most('statements'),
    rowsRead: most('rowsRead'),
    rowsWritten: most('rowsWritten'),
    checks: ['trips', 'rowsRead', 'rowsWritten'].map((name) => {
      const { cost, budget } = worst(name);
      return { name, measured: cost[name], allowed: budget[name] };
    }),
  };
}

/** The next page as the answer names it. */
async function followed(client, call) {
  const { headers } = await send(client, call);
  const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
  if (!next) throw new Error(`${call.path} has no next page to follow`);
  const { pathname, search } = new URL(next);
  return [[{ ...call, path: `${pathname}${search}` }]];
}

function share({ cost, budget }, name) {
  return budget[name] === 0 ? cost[name] : cost[name] / budget[name];
}

function parseCost(header) {
  const found = Object.fromEntries(
    [...(header ?? '').matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]),
  );
  if (found.trips === undefined) throw new Error(`An answer carries no X-Cost: ${header}`);
  return {
    trips: found.trips,
    statements: found.statements,
    rowsRead: found.rows_read,
    rowsWritten: found.rows_written,
  };
}

/**
 * Loads the workers in turn, in short rounds, so that whatever else the machine does meets them all alike.
 * @param entries `{ request, app, bare }` of one request, one entry a size; `app` and `bare` are load targets.
 * @param load.isWarm the same workers have just answered the same request.
 */
export async function time(entries, { seconds, connections, cpuMs, isWarm }) {
  const runs = entries.flatMap((entry) =>
    ['app', 'bare'].map((role) => ({ entry, role, latencies: [], rates: [], calls: 0, cpu: 0, ms: 0 })),
  );
  const lap = async ({ entry, role }, width, ms) => {
    const cpuBefore = cpuMs();
    const done = await entry[role].run(entry.request.variants, width, ms);
    return { ...done, cpu: cpuBefore === null ? null : cpuMs() - cpuBefore };
  };
  for (const run of isWarm ? [] : runs) {
    let warmed = 0;
    const until = performance.now() + WARM_MS;
    while (warmed < WARM_CALLS && performance.now() < until)
      warmed += (await lap(run, 1, 50)).latencies.length;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) {
      if (run.ms > OVERRUN_MAX * seconds * 1000) continue;
      const { latencies, ms, cpu } = await lap(run, connections, (seconds * 1000) / ROUNDS);
      run.latencies.push(...latencies);
      run.rates.push((latencies.length / ms) * 1000);
      run.calls += latencies.length;
      run.ms += ms;
      run.cpu = cpu === null ? null : run.cpu + cpu;
    }
  }
  return entries.map((entry) => {
    const [app, bare] = ['app', 'bare'].map((role) =>
      runs.find((run) => run.entry === entry && run.role === role),
    );
    const [plain, measured] = [summary(bare), summary(app)];
    return {
      app: measured,
      bare: plain,
      ratio: quantile(
        app.rates.slice(0, bare.rates.length).map((rate, round) => rate / bare.rates[round]),
        0.5,
      ),
      // What else the machine does slows both, and never enters CPU time.
      cpuRatio: plain.cpuMs === null ? null : plain.cpuMs / measured.cpuMs,
    };
  });
}

function summary({ latencies, rates, calls, cpu }) {
  return {
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    perSecond: quantile(rates, 0.5),
    calls,
    cpuMs: cpu === null ? null : cpu / calls,
  };
}

/** Everything that is known of one request at one size, in one flat record. */
export function toResult(request, size, cost, alone, crowd) {
  const cpuMs = crowd?.app.cpuMs ?? null;
  return {
    size,
    name: request.name,
    isWrite: request.isWrite ?? false,
    mustNotGrow: request.grows === false,
    connections1: alone,
    connections16: crowd,
    ratio: crowd?.ratio ?? null,
    cpuRatio: crowd?.cpuRatio ?? null,
    ...cost,
    cpuMs,
    dollarsAMillion: cost ? dollarsAMillion({ ...cost, cpuMs }) : null,
  };
}
