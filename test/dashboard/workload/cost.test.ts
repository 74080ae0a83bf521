import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { BULK_TODAY, type BulkWorld, createBulkWorld } from '../../support/bulk-world.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { getCell } from '../../support/env.ts';

const TASKS = 10_000;
const MONTH = 'from=2026-11-01&to=2026-11-30';
/** The maximum number of rows that a request reads for the credential, the role and the cutoffs. */
const FIXED_ROWS = 30;

describe(`in a workspace with 50 people and ${TASKS} tasks`, () => {
  let world: BulkWorld;
  let people: number;

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${BULK_TODAY}T12:00:00Z`) });
    world = await createBulkWorld(TASKS);
    await moveCutoffs(world, BULK_TODAY);
    const counted = await getCell(0)
      .prepare('SELECT count(*) AS n FROM members WHERE ws = ?')
      .bind(world.no)
      .first<{ n: number }>();
    people = counted?.n ?? 0;
  });

  afterAll(() => {
    vi.useRealTimers();
  });

  /** Measures the second request, because the credential is cached by then. */
  async function measureRowsRead(token: string, query: string): Promise<number> {
    await api(token).get(`/dashboard/workload?${query}`);
    const { status, cost } = await api(token).get(`/dashboard/workload?${query}`);
    expect(status).toBe(200);
    return cost.rowsRead;
  }

  it('a workload request reads at most six rows per person for a month, however many of its days have tasks', async () => {
    const { token } = world.people.owner;
    // The request reads six rows per person: three for open work, the person's own row, and one for each half of the
    // month.
    expect(await measureRowsRead(token, MONTH)).toBeLessThanOrEqual(6 * people + FIXED_ROWS);
    const { n: days } = (await getCell(0)
      .prepare(`SELECT count(DISTINCT assignee || due) AS n FROM tasks WHERE ws = ? AND assignee > 0
        AND archived = 0 AND due BETWEEN '2026-11-01' AND '2026-11-30'`)
      .bind(world.no)
      .first<{ n: number }>()) ?? { n: 0 };
    expect(days).toBeGreaterThan(6 * people);
  });

  it('a workload request reads at most two more rows per person for an additional month', async () => {
    const { token } = world.people.owner;
    const more = await measureRowsRead(token, 'from=2026-10-01&to=2026-11-30');
    expect(more - (await measureRowsRead(token, MONTH))).toBeLessThanOrEqual(2 * people);
  });

  it('a workload request reads only the counters of people the caller can see', async () => {
    const member = world.crowd[1]?.token ?? '';
    expect(await measureRowsRead(member, MONTH)).toBeLessThanOrEqual(2 * people + FIXED_ROWS);
  });

  it('moving a deadline within a half-month writes two fewer rows than moving it to another half-month', async () => {
    const { token } = world.people.owner;
    const [person, projectId] = [world.crowd[1], world.projectIds[0]];
    const draft = { projectId, name: 'Moved', assigneeId: person?.userId, deadline: '2026-11-03' };
    const { body: task } = await api(token).post('/tasks', draft);
    const measureRowsWritten = async (deadline: string) =>
      (await api(token).patch(`/tasks/${task.id}`, { deadline })).cost.rowsWritten;
    // Other tasks are already due on all three dates, so only the person's own counters add rows.
    const within = await measureRowsWritten('2026-11-05');
    expect(await measureRowsWritten('2026-11-16')).toBe(within + 2);
  });
});
