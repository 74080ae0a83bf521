import { beforeAll, describe, expect, it } from 'vitest';
import { listPathParameters, type Route } from '../../src/kernel/http/route.ts';
import { routes } from '../../src/registry.ts';
import { createFuzzObjects, createFuzzWorld } from '../suites/fuzz/fuzz-world.ts';
import type { FuzzInputs } from '../suites/fuzz/requests.ts';
import { growWorkspace } from '../suites/hostile-cost/grow-workspace.ts';
import { isPrepared } from '../suites/hostile-cost/preparations.ts';
import { buildWorstRequests } from '../suites/hostile-cost/worst-inputs.ts';
import { getCell } from '../support/env.ts';
import { createWorld } from '../support/world.ts';
import { getRouteName } from './requests.ts';

/*
 * `npm run test:long` measures every operation with its most expensive input, and every write in a workspace that has
 * grown. These tests check that its inputs are valid, and that the grown workspace has rows in every table.
 */

const unfilledTables: Readonly<Record<string, string>> = {
  departures: 'rows stay for minutes',
  details_waiting: 'rows stay for seconds',
  export_entries: 'deleted with their export, within a day',
  export_parts: 'deleted with their export, within a day',
  exports: 'the limit is 3',
  flow_days: 'one row per project and day',
  forgotten_members: 'rows stay for minutes',
  hour_changes: 'rows stay for minutes',
  intake_forms: 'one row per project',
  long_texts: 'writes find them by id; bulk-texts.test.ts measures them',
  outdated_comments: 'rows stay for minutes',
  project_deletions: 'rows stay for minutes',
  public_links: 'the limit is 20 per project',
  removals: 'rows stay for ten minutes',
  saved_filters: 'the limits are 100',
  search_waiting: 'rows stay for seconds',
  storage: 'one row',
  subtask_counts: 'one row per project and person',
  templates: 'the limit is 100',
  webhook_deliveries: 'the limit is 100 per webhook',
  webhooks: 'the limit is 50',
  workspace_deletions: 'one row',
};

describe('the workspace that npm run test:long generates', () => {
  it('has rows in every table except small and short-lived ones', async () => {
    const world = await createWorld();
    await growWorkspace(world, 20, 20);
    const db = getCell(world.cell);
    const { results: tables } = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql GLOB '*[^a-z_]ws INTEGER*'")
      .all<{ name: string }>();
    const empty: string[] = [];
    for (const { name } of tables) {
      const row = await db
        .prepare(`SELECT count(*) AS rows FROM ${name} WHERE ws = ?`)
        .bind(world.no)
        .first<{ rows: number }>();
      if ((row?.rows ?? 0) < 2) empty.push(name);
    }
    expect(empty.sort()).toEqual(Object.keys(unfilledTables).sort());
  });
});

describe('the most expensive requests of npm run test:long', () => {
  let pool: FuzzInputs['pool'];

  beforeAll(async () => {
    pool = await createFuzzObjects(await createFuzzWorld());
  });

  it('have existing ids in every path', () => {
    const unknown = routes.filter(({ path, operation }) => {
      const [first] = listPathParameters(path);
      const isFirstKnown = pool[`/${path.split('/')[1]}`];
      return (
        !isPrepared(operation.name) &&
        listPathParameters(path).some((name) => !(name === first && isFirstKnown) && !pool[name])
      );
    });
    expect(unknown.map(getRouteName)).toEqual([]);
  });

  it('contain a valid body for every operation', () => {
    const invalid = routes.filter((route) => {
      const { operation, method } = route;
      if (method === 'GET' || isPrepared(operation.name)) return false;
      return !buildWorstRequests(route, { ...pool, ids: [[1]] }).some(({ path, body = {} }) => {
        if (typeof body === 'string') return true;
        return operation.input.safeParse({ ...body, ...readPathValues(route, path) }).success;
      });
    });
    expect(invalid.map(getRouteName)).toEqual([]);
  });
});

function readPathValues(route: Route, path: string): Record<string, string | number> {
  const values = path.split('/');
  return Object.fromEntries(
    route.path.split('/').flatMap((part, index) => {
      const value = decodeURIComponent(values[index] ?? '');
      return part.startsWith(':') ? [[part.slice(1), /^\d+$/.test(value) ? Number(value) : value]] : [];
    }),
  );
}
