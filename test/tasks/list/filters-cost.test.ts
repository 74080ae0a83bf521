// This file is long because all filters share the same 100,000 tasks, which take half a minute to create.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, getNextPath } from '../../support/api.ts';
import { type BulkWorld, createBulkWorld } from '../../support/bulk-world.ts';
import { getCell } from '../../support/env.ts';
import { createApiKey } from '../../support/world.ts';

const TASKS = 100_000;
const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');

interface FilterCase {
  query: string;
  /** The same filter as an SQL condition on the task `t`. */
  truth: string;
  /** A page may read this many rows, plus `each` rows for every task that matches `hits`. */
  read: number;
  each?: number;
  /** An SQL condition on the task `t`. The default is `truth`. */
  hits?: string;
  /** A page with tasks on both sides of this id may read `EXTRA_ROWS_AT_BORDER` more rows. */
  border?: number;
}

const EXTRA_ROWS_AT_BORDER = 50;

const orders: Record<string, string> = {
  created: 't.id DESC',
  due: 't.due, t.id',
  updated: 't.updated_at DESC, t.id DESC',
};

describe(`GET /tasks in a cell with ${TASKS} tasks`, () => {
  let world: BulkWorld;
  let key: string;
  const measured: string[] = [];

  beforeAll(async () => {
    world = await createBulkWorld(TASKS);
    key = await createApiKey(world.people.owner);
    const newestId = (await getCell(0).prepare('SELECT max(id) AS n FROM tasks').first<{ n: number }>())?.n;
    // Sets the tasks' creation times six minutes apart. Every third task was changed later, at an arbitrary time
    // before the newest task was created.
    await getCell(0)
      .prepare(
        `UPDATE tasks SET created_at = ?1 + id * 360000,
          updated_at = ?1 + id * 360000 + iif(id % 3 = 0, (id * 7919 % (?3 - id + 1)) * 360000, 0) WHERE ws = ?2`,
      )
      .bind(START, world.no, newestId)
      .run();
    await api(key).get('/me');
  });

  // biome-ignore lint/suspicious/noConsole: this suite prints its figures
  afterAll(() => console.log(measured.join('\n')));

  const countMatching = async (condition: string) =>
    (
      await getCell(0)
        .prepare(`SELECT count(*) AS n FROM tasks t WHERE t.ws = ? AND ${condition}`)
        .bind(world.no)
        .first<{ n: number }>()
    )?.n ?? 0;

  const getLastValue = async (column: string) =>
    (
      await getCell(0)
        .prepare(`SELECT max(${column}) AS n FROM tasks t WHERE t.ws = ?`)
        .bind(world.no)
        .first<{ n: number }>()
    )?.n ?? 0;

  const getLastIdBefore = async (createdAt: number) =>
    (
      await getCell(0)
        .prepare('SELECT max(id) AS n FROM tasks t WHERE t.ws = ? AND t.created_at < ?')
        .bind(world.no, createdAt)
        .first<{ n: number }>()
    )?.n ?? 0;

  async function expectExactPage(
    { query, truth, read, each = 0, hits = truth, border }: FilterCase,
    token = key,
  ) {
    const params = new URLSearchParams(query);
    const sort = params.get('sort') ?? 'created';
    const found = await getCell(0)
      .prepare(`SELECT t.id FROM tasks t WHERE t.ws = ? AND ${truth} ORDER BY ${orders[sort]} LIMIT 75`)
      .bind(world.no)
      .all<{ id: number }>();
    const ids = found.results.map(({ id }) => id);
    const total = await countMatching(truth);
    const allowed = read + each * (each ? await countMatching(hits) : 0);
    let path: string | null = `/tasks?${query}`;
    const seen: number[] = [];
    const [rows, beyond]: [number[], number[]] = [[], []];
    for (let page = 0; path && page < 3; page += 1) {
      const answer = await api(token).get(path);
      expect(answer.status, path).toBe(200);
      expect(answer.body.meta.total, query).toBe(total);
      const onPage: number[] = answer.body.data.map((task: { id: number }) => task.id);
      seen.push(...onPage);
      rows.push(answer.cost.rowsRead);
      const isAcross = border !== undefined && new Set(onPage.map((id) => id > border)).size > 1;
      beyond.push(answer.cost.rowsRead - allowed - (isAcross ? EXTRA_ROWS_AT_BORDER : 0));
      expect(answer.cost.trips, query).toBe(1);
      path = getNextPath(answer);
    }
    measured.push(`${rows.join(', ')} / ${allowed}  ${query.replaceAll(/usr_\w+/g, '…')}  (${total})`);
    expect(seen, query).toEqual(ids);
    expect.soft(Math.max(...beyond), `${query}: rows beyond what is allowed`).toBeLessThanOrEqual(0);
  }

  it('reads at most 450 rows per page for filters with several values', async () => {
    const [one, two] = world.crowd.slice(20);
    const project = world.projectIds[3];
    const cases: [string, string][] = [
      ['status=open', 't.archived = 0 AND t.status < 4'],
      [
        'status=todo,client_review&priority=low,high',
        't.archived = 0 AND t.status IN (0, 3) AND t.priority <> 1',
      ],
      [
        `assigneeId=${one?.userId},${two?.userId}`,
        `t.archived = 0 AND t.assignee IN (${one?.member}, ${two?.member})`,
      ],
      ['assigneeId=none', 't.archived = 0 AND t.assignee = 0'],
      [
        `assigneeId=none,${one?.userId}&isArchived=true`,
        `t.archived = 1 AND t.assignee IN (0, ${one?.member})`,
      ],
      [
        `assigneeId=none&projectId=${project}`,
        `t.archived = 0 AND t.assignee = 0 AND t.project = ${project}`,
      ],
    ];
    for (const [query, truth] of cases)
      await expectExactPage({ query, truth, read: /none,/.test(query) ? 450 : 400 });
  });

  it('reads at most 2,500 rows per page, plus two per match, for deadline ranges and with sort=due', async () => {
    const [one] = world.crowd.slice(20);
    const project = world.projectIds[3];
    const open = 't.archived = 0 AND t.status < 4';
    const week = "t.due >= '2026-11-02' AND t.due <= '2026-11-08'";
    const cases: FilterCase[] = [
      { query: 'sort=due', truth: 't.archived = 0', read: 2_000 },
      { query: 'sort=due&status=open', truth: open, read: 2_000 },
      { query: 'sort=due&status=open&priority=high', truth: `${open} AND t.priority = 2`, read: 2_000 },
      {
        query: `sort=due&projectId=${project}`,
        truth: `t.archived = 0 AND t.project = ${project}`,
        read: 400,
      },
      {
        query: `sort=due&assigneeId=${one?.userId}`,
        truth: `t.archived = 0 AND t.assignee = ${one?.member}`,
        read: 400,
      },
      {
        query: 'dueFrom=2026-11-02&dueTo=2026-11-08',
        truth: `t.archived = 0 AND ${week}`,
        read: 2_000,
        each: 2,
      },
      {
        query: 'dueFrom=2026-11-02&dueTo=2026-11-08&sort=due&status=open',
        truth: `${open} AND ${week}`,
        read: 2_000,
      },
      {
        query: 'dueFrom=2026-11-02&dueTo=2026-11-08&sort=updated',
        truth: `t.archived = 0 AND ${week}`,
        read: 2_000,
        each: 2,
      },
      { query: 'dueTo=2026-11-08', truth: "t.archived = 0 AND t.due <= '2026-11-08'", read: 2_500 },
      { query: 'dueTo=2026-11-19&status=open', truth: `${open} AND t.due <= '2026-11-19'`, read: 2_500 },
      {
        query: `dueFrom=2026-11-02&dueTo=2026-11-08&assigneeId=${one?.userId}`,
        truth: `t.archived = 0 AND t.assignee = ${one?.member} AND ${week}`,
        read: 400,
        each: 2,
      },
    ];
    for (const each of cases) await expectExactPage(each);
  });

  it('reads at most 500 rows per page with updatedSince, plus two per changed task', async () => {
    const [one] = world.crowd.slice(20);
    const project = world.projectIds[3];
    const newest = await getLastValue('created_at');
    for (const hours of [1, 10, 1_000]) {
      const since = newest + HOUR - hours * HOUR;
      const changed = `t.updated_at >= ${since}`;
      const border = await getLastIdBefore(since);
      const query = `updatedSince=${new Date(since).toISOString()}`;
      const rest: [string, string][] = [
        ['', 't.archived = 0'],
        ['&status=open', 't.archived = 0 AND t.status < 4'],
        [`&projectId=${project}`, `t.archived = 0 AND t.project = ${project}`],
        [`&assigneeId=${one?.userId}`, `t.archived = 0 AND t.assignee = ${one?.member}`],
      ];
      for (const [more, truth] of rest) {
        const hits = more.startsWith('&projectId') ? `${truth} AND ${changed}` : changed;
        await expectExactPage({
          query: query + more,
          truth: `${truth} AND ${changed}`,
          read: 400,
          each: 2,
          hits,
          border,
        });
      }
      const buildSortedCase = (sort: string) => ({
        query: `${query}&sort=${sort}`,
        truth: `t.archived = 0 AND ${changed}`,
      });
      await expectExactPage({ ...buildSortedCase('due'), read: 400, each: 2, hits: changed });
      await expectExactPage({ ...buildSortedCase('updated'), read: 500, each: 1, hits: changed });
    }
  });

  it('reads at most 10,000 rows per page with sort=updated', async () => {
    const [one] = world.crowd.slice(20);
    const project = world.projectIds[3];
    const cases: FilterCase[] = [
      { query: 'sort=updated', truth: 't.archived = 0', read: 1_000 },
      { query: 'sort=updated&status=open', truth: 't.archived = 0 AND t.status < 4', read: 1_000 },
      {
        query: `sort=updated&projectId=${project}`,
        truth: `t.archived = 0 AND t.project = ${project}`,
        read: 400,
      },
      {
        query: `sort=updated&assigneeId=${one?.userId}`,
        truth: `t.archived = 0 AND t.assignee = ${one?.member}`,
        read: 10_000,
      },
      {
        query: 'sort=updated&priority=high&isArchived=true',
        truth: 't.archived = 1 AND t.priority = 2',
        read: 4_000,
      },
      { query: 'sort=updated&assigneeId=none', truth: 't.archived = 0 AND t.assignee = 0', read: 10_000 },
    ];
    for (const each of cases) await expectExactPage(each);
  });

  it('reads a limited number of rows per page with scope=mine if the caller is in 5 of 50 projects', async () => {
    const person = world.crowd[1];
    const { token = '' } = person ?? {};
    await api(token).get('/me');
    const mine = `(t.project IN (SELECT pm.project FROM project_members pm WHERE pm.member = ${person?.member})
      OR EXISTS (SELECT 1 FROM followers f WHERE f.member = ${person?.member} AND f.project = t.project AND f.task = t.id))`;
    const elsewhere = `t.project NOT IN (SELECT pm.project FROM project_members pm WHERE pm.member = ${person?.member}) AND
      EXISTS (SELECT 1 FROM followers f WHERE f.member = ${person?.member} AND f.project = t.project AND f.task = t.id)`;
    const cases: FilterCase[] = [
      { query: 'status=open', truth: `${mine} AND t.archived = 0 AND t.status < 4`, read: 4_000 },
      { query: 'sort=due', truth: `${mine} AND t.archived = 0`, read: 1_500, each: 3, hits: elsewhere },
      { query: 'sort=updated', truth: `${mine} AND t.archived = 0`, read: 1_500, each: 3, hits: elsewhere },
    ];
    for (const each of cases) await expectExactPage(each, token);
  });
});
