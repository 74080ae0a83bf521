import { expect, inject, it } from 'vitest';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { runPublic } from '../../support/accounts.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { meterDatabase } from '../../support/metered-d1.ts';
import { createRandom } from '../../support/random.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import { createWorld, type World } from '../../support/world.ts';
import { findInconsistencies } from '../faults/databases.ts';
import { sendAs, writeOperations } from '../stale-writes/race.ts';
import { Barrier } from './barrier.ts';
import { type ConcurrentChange, type Sender, taskChanges } from './changes.ts';
import { operationsWithoutPair } from './operations-without-pair.ts';
import { createPeopleAndObjects, peopleChanges } from './people-changes.ts';
import { createRacedObjects } from './raced-objects.ts';
import { relatedChanges } from './related-changes.ts';

const changes: Readonly<Record<string, ConcurrentChange>> = { ...taskChanges, ...relatedChanges };
const changeNames = Object.keys(changes);
/** `npm test` runs every 29th pair, a prime number, so that the pairs contain every change. */
const PAIR_STEP = 29;
/** The number of triples of changes to try. `scripts/fuzz.ts pairs --requests 3000` tries 3,000. */
const { requests: triples, seed } = inject('fuzz') ?? { requests: isLong ? 40 : 20, seed: 12 };
/** The number of pairs of forms that the suite tries. `scripts/fuzz.ts pairs` tries all pairs. */
const FORM_PAIRS_QUICK = isLong ? 20 : 10;
const COMBINATIONS_PER_CHECK = 20;

/** Runs the changes so that all of them read before any of them writes. */
async function runConcurrently(world: World, combination: readonly string[]): Promise<number[]> {
  const chosen = combination.map((name) => changes[name] as ConcurrentChange);
  const objects = await createRacedObjects(world, new Set(chosen.flatMap(({ needs = [] }) => needs)));
  const barrier = new Barrier(combination.length);
  return Promise.all(
    chosen.map(({ send, person = 'owner' as const }) =>
      barrier.run(meterDatabase(getCell(world.cell)), async (held) => {
        const actor = world.people[person];
        const sendOperation = sendAs(actor);
        const sender: Sender = {
          me: api(actor.token, { CELL_0: held }),
          run: (operation, input) => sendOperation(operation, input, held),
          runPublic: (name, input) =>
            runPublic(writeOperations.get(name) as AnyOperation, input, { CELL_0: held }),
        };
        return (await send(sender, objects)).status;
      }),
    ),
  );
}

async function runAllConcurrently(combinations: readonly string[][]) {
  for (let from = 0; from < combinations.length; from += COMBINATIONS_PER_CHECK) {
    const some = combinations.slice(from, from + COMBINATIONS_PER_CHECK);
    // The numbers of fields, links and templates per workspace are limited, so each group gets its own workspace.
    const world = await createWorld();
    for (const combination of some) {
      for (const status of await runConcurrently(world, combination)) {
        expect([200, 201, 400, 404], combination.join(' + ')).toContain(status);
      }
    }
    // The cron job completes work that continues after a response, such as deleting the rows of a project.
    await runCron('* * * * *');
    expect(await findCounterDrift(world), some.map((each) => each.join(' + ')).join('; ')).toEqual([]);
  }
  expect(await findInconsistencies()).toEqual([]);
}

it('every change succeeds when no one else changes anything', async () => {
  const world = await createWorld();
  const rejected: unknown[] = [];
  for (const name of changeNames) {
    const [answer] = await runConcurrently(world, [name]);
    if (answer !== 200 && answer !== 201) rejected.push([name, answer]);
  }
  expect(rejected).toEqual([]);
});

it('every operation that writes is in a pair, or has a reason why no other change can conflict with it', () => {
  const covered = [...Object.values(changes), ...Object.values(peopleChanges)].map(
    ({ operation }) => operation,
  );
  expect([...new Set(covered), ...Object.keys(operationsWithoutPair)].sort()).toEqual(
    [...writeOperations.keys()].sort(),
  );
});

it('any two simultaneous changes keep all counters correct, even if both read before either writes', async () => {
  const pairs = changeNames.flatMap((one, index) => changeNames.slice(index).map((other) => [one, other]));
  await runAllConcurrently(pickEveryNth(PAIR_STEP, pairs));
}, 3_600_000);

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
        (peopleChanges[name] as (typeof peopleChanges)[string]).run(company, { CELL_0: held }),
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
