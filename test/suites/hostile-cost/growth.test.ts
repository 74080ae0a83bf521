import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { nameOf } from '../../contract/requests.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { createWorld, type World } from '../../support/world.ts';
import { createFuzzWorld, type FuzzWorld, replenish } from '../fuzz/fuzz-world.ts';
import { makeHostile, type Size } from './hostile-world.ts';
import { measure } from './measure.ts';
import { type WorstRequest, worstRequests } from './worst-inputs.ts';

/** Enough for every page to be full. */
const BASE: Size = { tasks: 800, longTexts: 15, comments: 200 };
/** What is added; cost is compared before and after. */
const ADDED: Size = { tasks: 400, longTexts: 15, comments: 200 };
/** Rows more that any request may read: indexes get deeper, and a page gets full. */
const SLACK = 60;

/** What reads more for more data, and how many rows for each task, entry or notification added. */
const linear: readonly { names: RegExp; rowsEach: number; why: string }[] = [
  { names: /\(search: /, rowsEach: 6, why: 'a search reads what it finds' },
  { names: /\(offset: [1-9]/, rowsEach: 8, why: 'an offset is walked; a cursor is not' },
  {
    names: /^GET \/dashboard\/tasks \(sort: name/,
    rowsEach: 3,
    why: 'up to 3,000 tasks are sorted, beyond that the index of names is walked',
  },
  { names: /^GET \/tasks \(due(From|To): /, rowsEach: 2, why: 'deadlines in a range are counted day by day' },
  {
    names: /^GET \/tasks \(sort: updated/,
    rowsEach: 2,
    why: 'a page passes over tasks that were made in its span of time and changed later',
  },
  { names: /^GET \/events \(everything/, rowsEach: 1, why: 'a filter looks at up to 1,000 events' },
  { names: /^GET \/meetings /, rowsEach: 1, why: 'meetings are counted, in their index' },
  { names: /^GET \/timer\/entries/, rowsEach: 2, why: 'entries of one person are counted, in their index' },
];

const reads = routes.filter((route) => route.method === 'GET');

interface Asked {
  name: string;
  route: (typeof routes)[number];
  request: WorstRequest;
}

async function rowsOf({ route, request }: Asked, fuzz: FuzzWorld): Promise<number> {
  const token = route.operation.access === 'session' ? fuzz.world.people.owner.token : (fuzz.tokens[5] ?? '');
  return (await measure(route, request, token)).rowsRead;
}

describe('rows read while the data of a cell grows', () => {
  let fuzz: FuzzWorld;
  let beside: World;
  let asked: Asked[];
  const before = new Map<string, number>();

  async function grown(): Promise<{ name: string; rows: number; more: number }[]> {
    const found: { name: string; rows: number; more: number }[] = [];
    for (const each of asked) {
      const rows = await rowsOf(each, fuzz);
      found.push({ name: each.name, rows, more: rows - (before.get(each.name) ?? 0) });
      before.set(each.name, rows);
    }
    return found;
  }

  beforeAll(async () => {
    fuzz = await createFuzzWorld();
    const pool = await replenish(fuzz);
    asked = reads.flatMap((route) =>
      worstRequests(route, pool).map((request) => ({
        name: `${nameOf(route)} (${request.label})`,
        route,
        request,
      })),
    );
    beside = await createWorld();
    await makeHostile(fuzz.world, BASE);
    await makeHostile(beside, BASE);
    // As the cron keeps them.
    await moveCutoffs(fuzz.world, new Date().toISOString().slice(0, 10));
    for (let warming = 0; warming < 2; warming += 1) await grown();
  });

  it("don't increase with another tenant's data", async () => {
    await makeHostile(beside, ADDED);
    for (const { name, rows, more } of await grown()) {
      expect.soft(more, `${name}: ${rows - more} rows, then ${rows}`).toBeLessThanOrEqual(2);
    }
  });

  it("don't increase with the workspace's own data, except where a reason is given", async () => {
    await makeHostile(fuzz.world, ADDED);
    for (const { name, rows, more } of await grown()) {
      const rowsEach = linear.find(({ names }) => names.test(name))?.rowsEach ?? 0;
      const allowed = SLACK + rowsEach * (ADDED.tasks + ADDED.longTexts);
      expect.soft(more, `${name}: ${rows - more} rows, then ${rows}`).toBeLessThanOrEqual(allowed);
    }
  });
});
