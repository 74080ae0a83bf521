import { beforeAll, expect, inject, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { checkCell } from '../../../src/upkeep/integrity/check.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { meterDatabase } from '../../support/metered-d1.ts';
import { createRandom } from '../../support/random.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import { createMeeting, createTask, createWorld, type World } from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import { findInconsistencies } from '../faults/databases.ts';
import { Barrier } from './barrier.ts';
import { changes, type RacedObjects } from './changes.ts';
import { createPeopleAndObjects, peopleChanges } from './people-changes.ts';

const changeNames = Object.keys(changes);
/** The number of triples of changes to try. `scripts/fuzz.ts pairs --requests 3000` tries 3,000. */
const { requests: triples, seed } = inject('fuzz') ?? { requests: isLong ? 40 : 20, seed: 12 };
/** The number of pairs of forms that the suite tries. `scripts/fuzz.ts pairs` tries all pairs. */
const FORM_PAIRS_QUICK = isLong ? 20 : 10;
const COMBINATIONS_PER_CHECK = 20;

let world: World;
let template: number;

beforeAll(async () => {
  world = await createWorld();
  template = await createTemplate(world.people.owner, world.projects.joined.id);
});

async function createRacedObjects(): Promise<RacedObjects> {
  const { owner, lead } = world.people;
  const task = await createTask(owner, world.projects.joined.id, {
    assigneeId: lead.userId,
    deadline: '2026-11-20',
    customEstimatedHours: '2.5',
  });
  const me = api(owner.token);
  const first = await me.post(`/tasks/${task.id}/comments`, { content: 'first' });
  const second = await me.post(`/tasks/${task.id}/comments`, { content: 'second' });
  const meeting = await createMeeting(lead, world.projects.joined.id);
  const [participant] = meeting.participants as { taskId: number }[];
  return {
    world,
    task: task.id,
    meeting: meeting.id,
    meetingTask: participant?.taskId ?? 0,
    comments: [first.body.id, second.body.id],
    subtask: (await createTask(lead, world.projects.joined.id, { parentId: task.id })).id,
    parent: (await createTask(lead, world.projects.joined.id)).id,
    template,
  };
}

/** Runs the changes so that all of them read before any of them writes. */
async function runConcurrently(combination: readonly string[]): Promise<number[]> {
  const subject = await createRacedObjects();
  const barrier = new Barrier(combination.length);
  return Promise.all(
    combination.map((name) =>
      barrier.run(meterDatabase(getCell(world.cell)), async (held) => {
        // Only members of the project can move meetings, and only authors can change comments.
        const person = name === 'move meeting' ? world.people.lead : world.people.owner;
        const answer = await changes[name]?.(api(person.token, { CELL_0: held }), subject);
        return answer?.status ?? 0;
      }),
    ),
  );
}

async function expectNoDrift(done: readonly string[][]) {
  expect(await findCounterDrift(world), done.map((each) => each.join(' + ')).join('; ')).toEqual([]);
}

async function runAllConcurrently(combinations: readonly string[][]) {
  for (let from = 0; from < combinations.length; from += COMBINATIONS_PER_CHECK) {
    const some = combinations.slice(from, from + COMBINATIONS_PER_CHECK);
    for (const combination of some) {
      for (const status of await runConcurrently(combination)) {
        expect([200, 201, 400, 404], combination.join(' + ')).toContain(status);
      }
    }
    await expectNoDrift(some);
  }
  const cell = new Database(getCell(world.cell), new CostMeter());
  const findings = await checkCell(world.cell, cell, { now: Date.now(), hasCron: false });
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}

it('any two simultaneous changes keep all counters correct, even if both read before either writes', async () => {
  const pairs = changeNames.flatMap((one, index) => changeNames.slice(index).map((other) => [one, other]));
  await runAllConcurrently(pickEveryNth(8, pairs));
});

it('any three simultaneous changes keep all counters correct, even if all of them read before any writes', async () => {
  const random = createRandom(seed);
  await runAllConcurrently(
    Array.from({ length: triples }, () => [
      random.pick(changeNames),
      random.pick(changeNames),
      random.pick(changeNames),
    ]),
  );
}, 3_600_000);

/** Submits the forms at the same time, and expects each to succeed or to be rejected with a client error. */
async function runFormsConcurrently(own: World, combination: readonly string[]): Promise<void> {
  const company = await createPeopleAndObjects(own);
  const barrier = new Barrier(combination.length);
  const answers = await Promise.all(
    combination.map((name) =>
      barrier.run(meterDatabase(getCell(own.cell)), async (held) =>
        (peopleChanges[name] as (typeof peopleChanges)[string])(company, { CELL_0: held }),
      ),
    ),
  );
  for (const { status } of answers) {
    expect([200, 400, 401, 403, 404], combination.join(' + ')).toContain(status);
  }
}

it('any two people-related forms submitted at the same time leave the directory and both cells consistent', async () => {
  const forms = Object.keys(peopleChanges);
  // The list contains each pair in both orders, because the first change usually writes first.
  const pairs = forms.flatMap((one) => forms.map((other) => [one, other]));
  const random = createRandom(seed);
  const isQuick = inject('fuzz') === undefined;
  const chosen = isQuick ? Array.from({ length: FORM_PAIRS_QUICK }, () => random.pick(pairs)) : pairs;
  for (let from = 0; from < chosen.length; from += COMBINATIONS_PER_CHECK) {
    const some = chosen.slice(from, from + COMBINATIONS_PER_CHECK);
    // The number of invitations per workspace is limited, so each group of pairs gets its own workspace.
    const own = await createWorld();
    for (const pair of some) await runFormsConcurrently(own, pair);
    // The cron job completes work that continues after a response, such as reassigning the tasks of people who left.
    await runCron('* * * * *');
    expect(await findInconsistencies(), some.map((each) => each.join(' + ')).join('; ')).toEqual([]);
  }
});
