import { beforeEach, expect, it } from 'vitest';
import { addDays } from '../../../src/kernel/dates/civil-date.ts';
import { taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { moveCutoffs } from '../../support/cutoffs.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

const FRIDAY = '2026-03-06';
let world: World;

beforeEach(async () => {
  world = await createWorld();
  const { owner, member } = world.people;
  for (let day = -3; day <= 20; day += 1) {
    const { id } = await createTask(owner, world.projects.joined.id, {
      deadline: addDays(FRIDAY, day),
      status: taskStatuses[(day + 5) % 5],
      ...(day % 3 > 0 && { assigneeId: member.userId }),
    });
    if (day % 7 === 0) await api(owner.token).post(`/tasks/${id}/archive`);
  }
  // Changes only this workspace, because a cron run moves the cutoffs of a limited number of workspaces.
  await runQuery("UPDATE workspaces SET past_cutoff = '2026-03-01', week_cutoff = '2026-03-01' WHERE no = ?");
  await runQuery('UPDATE task_counts SET past0 = 0, past1 = 0, past2 = 0, past3 = 0, past4 = 0 WHERE ws = ?');
  await runQuery('UPDATE task_counts SET week0 = 0, week1 = 0, week2 = 0, week3 = 0, week4 = 0 WHERE ws = ?');
});

const runQuery = (query: string) => getCell(0).prepare(query).bind(world.no).run();
const readCutoffs = () =>
  getCell(0)
    .prepare('SELECT past_cutoff AS today, week_cutoff AS week FROM workspaces WHERE no = ?')
    .bind(world.no)
    .first();

it('every counter stays correct when the overdue and this-week cutoff dates move, even a day or a month late', async () => {
  expect(await findCounterDrift(world)).toEqual([]);
  for (const [today, week] of [
    [FRIDAY, '2026-03-09'],
    // On this Sunday, it is already Monday in some time zones, so the week ends later.
    ['2026-03-08', '2026-03-16'],
    ['2026-03-08', '2026-03-16'],
    ['2026-03-09', '2026-03-16'],
    ['2026-04-20', '2026-04-27'],
  ] as const) {
    await moveCutoffs(world, today);
    expect(await readCutoffs()).toEqual({ today, week });
    expect(await findCounterDrift(world), today).toEqual([]);
  }
});

it('the cron job that runs every minute moves the overdue and this-week cutoff dates', async () => {
  await runCron('* * * * *');
  expect(await readCutoffs()).toMatchObject({ today: new Date().toISOString().slice(0, 10) });
  expect(await findCounterDrift(world)).toEqual([]);
});
