import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { getRouteName } from '../../contract/requests.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { createWorld, type World } from '../../support/world.ts';
import { createFuzzObjects, createFuzzWorld, type FuzzWorld } from '../fuzz/fuzz-world.ts';
import { addHostileData, type DataSize } from './hostile-world.ts';
import { measureRoute } from './measure.ts';
import { buildWorstRequests, type WorstRequest } from './worst-inputs.ts';

/** Enough data to fill almost every page. */
const BASE_SIZE: DataSize = { tasks: 800, longTexts: 15, comments: 200 };
const ADDED_SIZE: DataSize = { tasks: 400, longTexts: 15, comments: 200 };
/** With more data, any request may read this many more rows, because indexes get deeper and more pages are full. */
const ROWS_TOLERANCE = 60;

/** Requests that may read more rows for each added task, entry or notification. */
const allowedGrowth: readonly { names: RegExp; rowsEach: number; why: string }[] = [
  { names: /\(search: /, rowsEach: 6, why: 'a search reads all of its matches' },
  { names: /\(offset: [1-9]/, rowsEach: 8, why: "an offset reads the skipped rows; a cursor doesn't" },
  {
    names: /^GET \/dashboard\/tasks \(sort: name/,
    rowsEach: 3,
    why: 'up to 3,000 tasks are sorted; for more, the index of names is read',
  },
  { names: /^GET \/tasks \(due(From|To): /, rowsEach: 2, why: 'deadlines in a range are counted day by day' },
  {
    names: /^GET \/tasks \(sort: updated/,
    rowsEach: 2,
    why: 'a page skips tasks that were created in its range of time and changed later',
  },
  {
    names: /^GET \/tasks \(created(From|To): /,
    rowsEach: 3,
    why: 'days of creation are scanned, up to 10,000 tasks',
  },
  {
    names: /^GET \/notifications(\/count)? \((kinds: (?!all)|everything)/,
    rowsEach: 2,
    why: 'no index contains the types of notifications',
  },
  { names: /^GET \/events \(everything/, rowsEach: 1, why: 'a filter checks up to 1,000 events' },
  { names: /^GET \/meetings /, rowsEach: 1, why: 'meetings are counted in their index' },
  { names: /^GET \/timer\/entries/, rowsEach: 2, why: 'the entries of a person are counted in their index' },
];

const readRoutes = routes.filter((route) => route.method === 'GET');

interface MeasuredRequest {
  name: string;
  route: (typeof routes)[number];
  request: WorstRequest;
}

async function measureRows({ route, request }: MeasuredRequest, fuzz: FuzzWorld): Promise<number> {
  const token = route.operation.access === 'session' ? fuzz.world.people.owner.token : (fuzz.tokens[5] ?? '');
  return (await measureRoute(route, request, token)).rowsRead;
}

describe('the number of rows that a request reads', () => {
  let fuzz: FuzzWorld;
  let beside: World;
  let asked: MeasuredRequest[];
  const before = new Map<string, number>();

  async function findGrowth(): Promise<{ name: string; rows: number; more: number }[]> {
    const found: { name: string; rows: number; more: number }[] = [];
    for (const each of asked) {
      const rows = await measureRows(each, fuzz);
      found.push({ name: each.name, rows, more: rows - (before.get(each.name) ?? 0) });
      before.set(each.name, rows);
    }
    return found;
  }

  beforeAll(async () => {
    fuzz = await createFuzzWorld();
    const pool = await createFuzzObjects(fuzz);
    asked = readRoutes.flatMap((route) =>
      buildWorstRequests(route, pool).map((request) => ({
        name: `${getRouteName(route)} (${request.label})`,
        route,
        request,
      })),
    );
    beside = await createWorld();
    await addHostileData(fuzz.world, BASE_SIZE);
    await addHostileData(beside, BASE_SIZE);
    // In production, a cron job moves the cutoffs every day.
    await moveCutoffs(fuzz.world, new Date().toISOString().slice(0, 10));
    for (let warming = 0; warming < 2; warming += 1) await findGrowth();
  });

  it("doesn't increase with another workspace's data", async () => {
    await addHostileData(beside, ADDED_SIZE);
    for (const { name, rows, more } of await findGrowth()) {
      expect.soft(more, `${name}: ${rows - more} rows, then ${rows}`).toBeLessThanOrEqual(2);
    }
  });

  it("doesn't increase with the workspace's own data, except for requests listed with a reason", async () => {
    await addHostileData(fuzz.world, ADDED_SIZE);
    for (const { name, rows, more } of await findGrowth()) {
      const rowsEach = allowedGrowth.find(({ names }) => names.test(name))?.rowsEach ?? 0;
      const allowed = ROWS_TOLERANCE + rowsEach * (ADDED_SIZE.tasks + ADDED_SIZE.longTexts);
      expect.soft(more, `${name}: ${rows - more} rows, then ${rows}`).toBeLessThanOrEqual(allowed);
    }
  });
});
