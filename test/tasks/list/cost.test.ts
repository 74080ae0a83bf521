// This file is long because every list is measured with the same 100,000 tasks, which take a long time to create.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { type ApiResponse, api } from '../../support/api.ts';
import { type BulkWorld, createBulkWorld } from '../../support/bulk-world.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { getCell } from '../../support/env.ts';
import { createApiKey, createTeam } from '../../support/world.ts';

const TASKS = 100_000;

function formatTable(rows: Record<string, string>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const getColumnWidth = (name: string) =>
    Math.max(name.length, ...rows.map((row) => row[name]?.length ?? 0));
  const formatRow = (cells: (name: string) => string) =>
    names.map((name) => cells(name).padEnd(getColumnWidth(name))).join('  ');
  return [
    'measured / allowed',
    formatRow((name) => name),
    ...rows.map((row) => formatRow((name) => row[name] ?? '')),
  ].join('\n');
}

describe(`in a cell with ${TASKS} tasks`, () => {
  let world: BulkWorld;
  /** With an API key, lists cover the whole workspace by default. */
  let key: string;
  const measured: Record<string, string>[] = [];

  beforeAll(async () => {
    world = await createBulkWorld(TASKS);
    key = await createApiKey(world.people.owner);
    await api(key).get('/me');
  });

  // biome-ignore lint/suspicious/noConsole: this suite prints its figures
  afterAll(() => console.log(formatTable(measured)));

  /** Asserts that a request with a cached credential stays within its budget, and adds its cost to the table. */
  function expectWithinBudget(
    name: string,
    answer: ApiResponse,
    budget: { trips: number; read: number; written?: number },
  ) {
    const { trips, rowsRead, rowsWritten } = answer.cost;
    measured.push({
      request: name,
      trips: `${trips} / ${budget.trips}`,
      'rows read': `${rowsRead} / ${budget.read}`,
      'rows written': `${rowsWritten} / ${budget.written ?? 0}`,
    });
    expect(answer.status, name).toBeLessThan(300);
    expect(trips, `${name}: trips`).toBeLessThanOrEqual(budget.trips);
    expect(rowsRead, `${name}: rows read`).toBeLessThanOrEqual(budget.read);
    expect(rowsWritten, `${name}: rows written`).toBeLessThanOrEqual(budget.written ?? 0);
  }

  it('the first page of GET /tasks reads at most 400 rows with basic filters, and its unfiltered total is exact', async () => {
    const project = world.projectIds[3];
    const assignee = world.crowd[20]?.userId;
    const mixes = [
      '',
      `projectId=${project}`,
      'status=in_progress',
      'priority=high',
      `assigneeId=${assignee}`,
      'isArchived=true',
      'status=todo&priority=low',
      `projectId=${project}&assigneeId=${assignee}`,
      `projectId=${project}&status=completed&priority=medium&isArchived=true`,
      `assigneeId=${assignee}&status=client_review`,
    ];
    for (const mix of mixes) {
      const answer = await api(key).get(`/tasks?${mix}`);
      expectWithinBudget(`GET /tasks?${mix.replace(/usr_\w+/, '…')}`, answer, { trips: 1, read: 400 });
      expect(answer.body.data.length).toBeGreaterThan(0);
    }
    const truth = await getCell(0)
      .prepare('SELECT count(*) AS n FROM tasks WHERE ws = ? AND archived = 0')
      .bind(world.no)
      .first<{ n: number }>();
    expect((await api(key).get('/tasks')).body.meta.total).toBe(truth?.n);
  });

  it('a page with expand=detail or ids reads at most 550 rows, and its total with ids is exact', async () => {
    await getCell(0)
      .prepare(
        `UPDATE tasks SET category = (SELECT min(id) FROM task_categories WHERE ws = ?1),
          type = (SELECT min(id) FROM task_types WHERE ws = ?1) WHERE ws = ?1 AND id % 3 < 2`,
      )
      .bind(world.no)
      .run();
    const { body } = await api(key).get('/tasks?limit=100&offset=700&fields=id');
    const ids: number[] = body.data.map(({ id }: { id: number }) => id);
    // Each task beyond the default page size of 25 adds a few rows.
    const whole = { '': 400, '&limit=50': 550 };
    for (const [limit, read] of Object.entries(whole)) {
      const query = `expand=detail${limit}`;
      expectWithinBudget(`GET /tasks?${query}`, await api(key).get(`/tasks?${query}`), { trips: 1, read });
    }
    // Each task in `ids` is read twice, for the total and for the page, with two rows each time.
    for (const [some, read] of [
      [ids.slice(0, 60), 400],
      [ids, 550],
    ] as const) {
      for (const query of ['', '&sort=due', '&expand=detail&limit=10']) {
        const answer = await api(key).get(`/tasks?ids=${some}${query}`);
        expectWithinBudget(`GET /tasks?ids= (${some.length})${query}`, answer, { trips: 1, read });
        expect(answer.body.meta.total).toBe(some.length);
      }
    }
  });

  it('a search reads at most 500 rows plus three per match', async () => {
    const rare = await api(key).get('/tasks?search=task 4711');
    expectWithinBudget('GET /tasks?search= (rare)', rare, { trips: 1, read: 500 + 3 * rare.body.meta.total });
    const common = await api(key).get('/tasks?search=needle');
    expect(common.body.meta.total).toBeGreaterThan(TASKS / 60);
    const found = common.body.meta.total;
    expectWithinBudget(`GET /tasks?search= (${found} matches)`, common, { trips: 1, read: 500 + 3 * found });
    const archived = await api(key).get('/tasks?search=needle&isArchived=true');
    // The search index doesn't contain the archived state (docs/adr/0011), so a search reads matches in both states.
    const matches = found + archived.body.meta.total;
    expectWithinBudget(`GET /tasks?search=&isArchived=true (${matches} matches)`, archived, {
      trips: 1,
      read: 500 + 3 * matches,
    });
  });

  it('a page with scope=mine reads at most 4,000 rows if the caller is in 5 of 50 projects', async () => {
    const person = world.crowd[1];
    const { token = '' } = person ?? {};
    await api(token).get('/me');
    expectWithinBudget('GET /tasks?scope=mine', await api(token).get('/tasks?scope=mine'), {
      trips: 1,
      read: 1_500,
    });
    expectWithinBudget(
      'GET /tasks?scope=mine&status=todo',
      await api(token).get('/tasks?scope=mine&status=todo'),
      {
        trips: 1,
        read: 4_000,
      },
    );
    expectWithinBudget(
      'GET /tasks?scope=mine&assigneeId=me',
      await api(token).get(`/tasks?scope=mine&assigneeId=${person?.userId}`),
      { trips: 1, read: 4_000 },
    );
  });

  it('requests for a single task and for the number of unread notifications stay within their row limits', async () => {
    const [person] = world.crowd.slice(30);
    const created = await api(key).post('/tasks', {
      projectId: world.projectIds[3],
      name: 'New',
      assigneeId: person?.userId,
      deadline: '2026-12-01',
    });
    expectWithinBudget('POST /tasks', created, { trips: 2, read: 60, written: 25 });
    const { id } = created.body;
    for (let index = 0; index < 12; index += 1)
      await api(key).post(`/tasks/${id}/comments`, { content: `c${index}` });
    expectWithinBudget('GET /tasks/{id}', await api(key).get(`/tasks/${id}`), { trips: 1, read: 60 });
    const followers = created.body.followers.length;
    const changed = await api(key).patch(`/tasks/${id}`, { status: 'in_progress' });
    const notified = followers - 1;
    expectWithinBudget('PATCH /tasks/{id} status, 10 comments', changed, {
      trips: 2,
      read: 40 + 10 * followers,
      written: 16 + followers + 4 * notified,
    });
    await api(person?.token).get('/me');
    expectWithinBudget('GET /notifications/count', await api(person?.token).get('/notifications/count'), {
      trips: 1,
      read: 10,
    });
  });

  it('dashboard requests read at most 2,000 rows, or 10,000 when they sort tasks by name', async () => {
    const { token = '', userId } = world.crowd[2] ?? {};
    const lead = world.crowd[1];
    await getCell(0).prepare("UPDATE members SET role = 'lead' WHERE no = ?").bind(lead?.member).run();
    await createTeam(world, { ...(lead && { lead }), members: world.crowd.slice(20, 30) });
    const callers = { owner: world.people.owner.token, lead: lead?.token, member: token };
    for (const [role, caller] of Object.entries(callers)) {
      const me = api(caller);
      await me.get('/me');
      const budget = { trips: 1, read: 2_000 };
      expectWithinBudget(
        `GET /dashboard/stats (${role})`,
        await me.get('/dashboard/stats?localDate=2026-11-20'),
        budget,
      );
      for (const sort of ['due', 'created', 'status']) {
        expectWithinBudget(
          `GET /dashboard/tasks?sort=${sort} (${role})`,
          await me.get(`/dashboard/tasks?sort=${sort}`),
          budget,
        );
      }
      expectWithinBudget(
        `GET /dashboard/tasks?sort=name (${role})`,
        await me.get('/dashboard/tasks?sort=name'),
        {
          trips: 1,
          read: role === 'owner' ? 2_000 : 10_000,
        },
      );
    }
    const narrow = await api(callers.owner).get(`/dashboard/tasks?sort=name&assigneeId=${userId}`);
    expectWithinBudget('GET /dashboard/tasks?sort=name&assigneeId=', narrow, { trips: 1, read: 10_000 });
  });

  it('a workload request on the day of the cutoff reads only counters, and at most 450 rows for any period', async () => {
    // Today is the day of the cutoff. On a later day, the workload would also read the days since the cutoff.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const { token: owner } = world.people.owner;
    const { token: member = '', userId } = world.crowd[2] ?? {};
    await api(owner).get('/me');
    await api(member).get('/me');
    const budget = { trips: 1, read: 450 };
    const project = world.projectIds[3];
    for (const window of ['from=2026-11-20', 'mode=monthly', 'from=2026-10-01&to=2026-10-31']) {
      const path = `/dashboard/workload?${window}`;
      expectWithinBudget(`GET ${path} (owner)`, await api(owner).get(path), budget);
      expectWithinBudget(`GET ${path} (member)`, await api(member).get(path), budget);
      expectWithinBudget(
        `GET ${path}&projectId=`,
        await api(owner).get(`${path}&projectId=${project}`),
        budget,
      );
      const pair = `${path}&projectId=${project}&assigneeId=${userId}`;
      expectWithinBudget(`GET ${path}&projectId=&assigneeId=`, await api(owner).get(pair), budget);
    }
  });

  it('a request for the dashboard tiles reads at most two days of tasks, on any weekday and in any time zone', async () => {
    const lead = api(world.crowd[1]?.token);
    const answers: ApiResponse[] = [];
    for (let day = 0; day < 7; day += 1) {
      const today = addDays('2026-11-20', day);
      await moveCutoffs(world, today);
      for (const offset of [-1, 0, 1]) {
        answers.push(await lead.get(`/dashboard/stats?localDate=${addDays(today, offset)}`));
      }
    }
    const [cheapest, ...others] = answers.toSorted((a, b) => a.cost.rowsRead - b.cost.rowsRead) as [
      ApiResponse,
    ];
    const people = 11;
    const dayOfEleven = Math.ceil((TASKS / 400) * (people / 50));
    // If the week doesn't end at the cutoff, the request reads a second range of days. It then reads each person, and
    // their four statuses, once more.
    const secondSpan = people * (1 + 4);
    expectWithinBudget('GET /dashboard/stats (lead), most expensive day', others.at(-1) ?? cheapest, {
      trips: 1,
      read: Math.min(600, cheapest.cost.rowsRead + 2 * dayOfEleven + secondSpan),
    });
  });

  it("a request whose credential isn't cached takes one more database round trip", async () => {
    const cold = await createApiKey(world.people.owner, 'cold');
    const [first, second] = [await api(cold).get('/tasks?limit=1'), await api(cold).get('/tasks?limit=1')];
    expect([first.cost.trips, second.cost.trips]).toEqual([2, 1]);
  });
});
