import { expect, it } from 'vitest';
import { addDays, toInstant, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { Budget } from '../../../src/kernel/sql/budget.ts';
import { repeatTasks } from '../../../src/tasks/operations/repeat-tasks.ts';
import { updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createRandom } from '../../support/random.ts';
import { openScope } from '../../support/scope.ts';
import { isLong } from '../../support/tier.ts';
import { createTask, createWorld } from '../../support/world.ts';

const SEED = 11;
const DAYS = isLong ? 2_000 : 40;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const zones = ['UTC', 'Europe/Berlin', 'America/Santiago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

const runJob = (now: number) => repeatTasks.run(openScope(now), 0, new Budget(900));

it(`a daily task is repeated once a day for ${DAYS} days, despite skipped or repeated cron runs and time zone changes (seed ${SEED})`, async () => {
  const world = await createWorld();
  const { member, owner } = world.people;
  const random = createRandom(SEED);
  const first = toWallClock(Date.now(), 'UTC').date;
  const task = await createTask(member, world.projects.joined.id, { deadline: first });
  const rule = { rule: 'FREQ=DAILY', mode: 'schedule' };
  expect((await api(member.token).put(`/tasks/${task.id}/recurrence`, rule)).status).toBe(200);
  const end = toInstant(first, '12:00', 'UTC') + DAYS * DAY_MS;
  let zone = 'UTC';
  for (let now = toInstant(first, '12:00', 'UTC'); ; now = Math.min(end, now + skipTime())) {
    if (random.chance(isLong ? 0.01 : 0.1)) {
      zone = random.pick(zones.filter((each) => each !== zone));
      expect((await runForm(owner.token, updateWorkspace, { timezone: zone })).status).toBe(200);
    }
    while (
      random.chance(0.1) ? (await Promise.all([runJob(now), runJob(now)])).some(Boolean) : await runJob(now)
    );
    if (now === end) break;
  }
  const { results } = await getCell(0)
    .prepare('SELECT due FROM tasks WHERE ws = ? ORDER BY id')
    .bind(world.no)
    .all<{ due: string }>();
  const count = results.length;
  expect(results.map(({ due }) => due)).toEqual(
    Array.from({ length: count }, (_, index) => addDays(first, index)),
  );
  // Tomorrow's task is created at the start of today. A time zone change can set today back by a day.
  const today = toWallClock(end, zone).date;
  expect([today, addDays(today, 1)]).toContain(results.at(-2)?.due);
  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);

  function skipTime(): number {
    return random.integer(1, (random.chance(0.03) ? 120 : 26) * 60) * MINUTE_MS;
  }
}, 3_600_000);
