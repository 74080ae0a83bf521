import { beforeAll, expect, inject, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { checkCell } from '../../../src/upkeep/integrity/check.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { cellOf } from '../../support/env.ts';
import { meterDatabase } from '../../support/metered-d1.ts';
import { createRandom } from '../../support/random.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import { createMeeting, createTask, createWorld, type World } from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import { findInconsistencies } from '../faults/databases.ts';
import { Barrier } from './barrier.ts';
import { changes, type Subject } from './changes.ts';
import { createCompany, peopleChanges } from './people-changes.ts';

const names = Object.keys(changes);
/** `scripts/fuzz.ts pairs --requests 3000` tries this many triples. The suite tries only a sample. */
const { requests: triples, seed } = inject('fuzz') ?? { requests: isLong ? 40 : 20, seed: 12 };
/** The number of pairs of forms in the suite. `scripts/fuzz.ts pairs` tries all pairs. */
const FORM_PAIRS_QUICK = isLong ? 20 : 10;
/** The number of combinations between two checks of all counters. */
const COMBINATIONS_PER_CHECK = 20;

let world: World;
let template: number;

beforeAll(async () => {
  world = await createWorld();
  template = await createTemplate(world.people.owner, world.projects.joined.id);
});

async function createSubject(): Promise<Subject> {
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

/** All changes read before any of them writes. */
async function race(combination: readonly string[]): Promise<number[]> {
  const subject = await createSubject();
  const barrier = new Barrier(combination.length);
  return Promise.all(
    combination.map((name) =>
      barrier.through(meterDatabase(cellOf(world.cell)), async (held) => {
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

async function raceAll(combinations: readonly string[][]) {
  for (let from = 0; from < combinations.length; from += COMBINATIONS_PER_CHECK) {
    const some = combinations.slice(from, from + COMBINATIONS_PER_CHECK);
    for (const combination of some) {
      for (const status of await race(combination)) {
        expect([200, 201, 400, 404], combination.join(' + ')).toContain(status);
      }
    }
    await expectNoDrift(some);
  }
  const cell = new Database(cellOf(world.cell), new CostMeter());
  const findings = await checkCell(world.cell, cell, { now: Date.now(), hasCron: false });
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}

it('any two changes that both read before either of them writes keep all counters correct', async () => {
  const pairs = names.flatMap((one, index) => names.slice(index).map((other) => [one, other]));
  await raceAll(pickEveryNth(8, pairs));
});

it('any three changes that all read before any of them writes keep all counters correct', async () => {
  const random = createRandom(seed);
  await raceAll(
    Array.from({ length: triples }, () => [random.pick(names), random.pick(names), random.pick(names)]),
  );
}, 3_600_000);

/** Forms about people write to both databases, so all invariants of both databases are checked. */
async function raceForms(own: World, combination: readonly string[]): Promise<void> {
  const company = await createCompany(own);
  const barrier = new Barrier(combination.length);
  const answers = await Promise.all(
    combination.map((name) =>
      barrier.through(meterDatabase(cellOf(own.cell)), async (held) =>
        (peopleChanges[name] as (typeof peopleChanges)[string])(company, { CELL_0: held }),
      ),
    ),
  );
  for (const { status } of answers) {
    expect([200, 400, 401, 403, 404], combination.join(' + ')).toContain(status);
  }
}

it('any two people-related forms submitted at the same time keep both databases consistent', async () => {
  const forms = Object.keys(peopleChanges);
  // Each pair is tried in both orders, because the first change usually writes first.
  const pairs = forms.flatMap((one) => forms.map((other) => [one, other]));
  const random = createRandom(seed);
  const isQuick = inject('fuzz') === undefined;
  const chosen = isQuick ? Array.from({ length: FORM_PAIRS_QUICK }, () => random.pick(pairs)) : pairs;
  for (let from = 0; from < chosen.length; from += COMBINATIONS_PER_CHECK) {
    const some = chosen.slice(from, from + COMBINATIONS_PER_CHECK);
    // The number of invitations per workspace is limited, so each group of pairs gets its own workspace.
    const own = await createWorld();
    for (const pair of some) await raceForms(own, pair);
    // The cron completes work that continues after a response, such as reassigning the tasks of people who left.
    await runCron('* * * * *');
    expect(await findInconsistencies(), some.map((each) => each.join(' + ')).join('; ')).toEqual([]);
  }
});
