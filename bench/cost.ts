import type { Client } from 'undici';
import { connect, send } from './load.ts';
import type { Bounds, Call, CountedRequest, Variant } from './request.ts';
import type { CheckedCost, Cost } from './results.ts';

const MEASURED_VARIANTS_MAX = 16;
const bounds = ['trips', 'rowsRead', 'rowsWritten'] as const;

/**
 * Measures the first variants of a request with a warm worker. Returns their highest costs, and the trips and rows
 * closest to their budgets.
 */
export async function measureCost(request: CountedRequest, url: URL): Promise<CheckedCost> {
  const client = connect(url);
  const costs: MeasuredCall[] = [];
  const { variants: own, follows } = request;
  const variants = own.length === 0 && follows ? await followNextLink(client, follows) : own;
  for (const variant of variants.slice(0, MEASURED_VARIANTS_MAX)) {
    for (const call of variant) {
      if (!request.isWrite) await send(client, call);
      const answer = await send(client, call);
      if (answer.status >= 300)
        throw new Error(`${call.method} ${call.path} returned ${answer.status}: ${answer.text}`);
      const cost = parseCost(answer.headers['x-cost']);
      costs.push({ cost, budget: request.budget(JSON.parse(answer.text)) });
    }
  }
  await client.close();
  const most = (name: keyof Cost) => Math.max(...costs.map(({ cost }) => cost[name]));
  // Reports the response that is closest to its budget, or furthest beyond it.
  const worst = (name: keyof Bounds) =>
    costs.reduce((a, b) => (computeShare(b, name) > computeShare(a, name) ? b : a));
  return {
    trips: most('trips'),
    statements: most('statements'),
    rowsRead: most('rowsRead'),
    rowsWritten: most('rowsWritten'),
    checks: bounds.map((name) => {
      const { cost, budget } = worst(name);
      return { name, measured: cost[name], allowed: budget[name] };
    }),
  };
}

async function followNextLink(client: Client, call: Call): Promise<Variant[]> {
  const { headers } = await send(client, call);
  const next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
  if (!next) throw new Error(`${call.path} has no next page to follow`);
  const { pathname, search } = new URL(next);
  return [[{ ...call, path: `${pathname}${search}` }]];
}

interface MeasuredCall {
  readonly cost: Cost;
  readonly budget: Bounds;
}

function computeShare({ cost, budget }: MeasuredCall, name: keyof Bounds): number {
  return budget[name] === 0 ? cost[name] : cost[name] / budget[name];
}

function parseCost(header: string | string[] | undefined): Cost {
  const found = new Map(
    [...String(header ?? '').matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]),
  );
  const read = (name: string): number => {
    const value = found.get(name);
    if (value === undefined) throw new Error(`The X-Cost of a response has no ${name}: ${header}`);
    return value;
  };
  return {
    trips: read('trips'),
    statements: read('statements'),
    rowsRead: read('rows_read'),
    rowsWritten: read('rows_written'),
  };
}
