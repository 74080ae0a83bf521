import { expect, it } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { meteredEnv } from '../../support/api.ts';
import { everyNth, isLong } from '../../support/tier.ts';
import { createWorld, sessionToken, type World } from '../../support/world.ts';
import { type Asked, ask } from './asking.ts';
import { type Fault, type FaultyD1, faults, faultyD1, nth } from './faulty-d1.ts';
import { difference, forgetAll, snapshot, whatIsOff } from './store.ts';
import { otherWrites, type WriteCase, writeCases } from './writes.ts';

const BATCHES_MAX = 12;
/** Only a few, because these operations hash passwords, which is slow by design. */
const publicFaults: readonly Fault[] = ['lost before it runs', 'lost after it ran'];

it('the fault cases cover every operation that writes', () => {
  const writing = routes.filter(({ operation }) => operation.effect === 'write');
  const known = [...Object.keys(writeCases), ...Object.keys(otherWrites)];
  expect(writing.map(({ operation }) => operation.name).sort()).toEqual(known.sort());
});

let injected = 0;

const cases = everyNth(2, Object.entries(writeCases));
for (const [index, [name, write]] of cases.entries()) {
  it(`${name} is all or nothing, and a retry applies it once, whichever batch fails`, async () => {
    await forgetAll();
    const world = await createWorld();
    const control = await runUndisturbed(world, write);
    for (const fault of faultsOf(write, index)) await disturbEach(world, name, fault, control);
    expect(await whatIsOff()).toEqual([]);
  });
}

/** `npm test` tries one kind of fault per operation, and a different one for the next operation. */
function faultsOf({ isPublic }: WriteCase, index: number): readonly Fault[] {
  const all = isPublic ? publicFaults : faults;
  return isLong ? all : [all[index % all.length] as Fault];
}

/**
 * Returns the changes of a request without faults. A first run fills the cache, so that later runs send the same
 * batches.
 */
async function runUndisturbed(world: World, write: WriteCase) {
  let changed = {};
  for (const run of ['cold', 'warm']) {
    const request = await write.prepare(world);
    const before = await snapshot();
    expect((await ask(request, keyOf(write))).status, run).toBe(write.status);
    changed = difference(before, await snapshot());
  }
  return changed;
}

/** Fails the first batch of one request, the second batch of the next, and so on, until a request has no such batch. */
async function disturbEach(world: World, name: string, fault: Fault, control: object) {
  const write = writeCases[name] as WriteCase;
  for (let batch = 1; batch < BATCHES_MAX; batch += isLong ? 1 : 2) {
    const where = `${name}, batch ${batch} ${fault}`;
    const request = await write.prepare(world);
    const key = keyOf(write);
    const before = await snapshot();
    const plan = failing(batch, fault);
    const seen = await ask(request, key, plan.bindings);
    const isDone = plan.hasCommitted() && batch !== write.notingBatch;
    if (!plan.hasFailed()) return expect(seen.status, where).toBe(write.status);
    injected += 1;
    const changed = difference(before, await snapshot());
    expect(seen.headers.get('X-Request-Id'), where).toMatch(/^[0-9a-f-]{36}$/);
    if (seen.status >= 500) {
      expect([seen.status, where]).toEqual([fault === 'overloaded' ? 503 : 500, where]);
      expect(seen.body.error.code, where).toBe('internal');
      expect(changed, where).toEqual(isDone ? control : {});
      await retry(write, request, key, where, isDone);
    } else {
      // The request succeeded because a read was retried, or because the batch ran after the response.
      expect(seen.status, where).toBe(write.status);
    }
    expect(difference(before, await snapshot()), `${where}, at the end`).toEqual(control);
  }
  throw new Error(`${name} sends more than ${BATCHES_MAX} batches`);
}

function keyOf(write: WriteCase): string | null {
  return write.isPublic ? null : crypto.randomUUID();
}

/** Counts the batches to both databases together. */
function failing(batch: number, fault: Fault) {
  let asked = 0;
  const decide = () => {
    asked += 1;
    return nth(batch, fault)(asked);
  };
  const both = [faultyD1(meteredEnv.DIRECTORY, decide), faultyD1(meteredEnv.CELL_0, decide)] as const;
  const any = (what: (each: FaultyD1) => boolean) => both.some(what);
  return {
    bindings: { DIRECTORY: both[0].d1, CELL_0: both[1].d1 },
    hasFailed: () => any((each) => each.failed > 0),
    hasCommitted: () => any((each) => each.hasCommitted),
  };
}

async function retry(write: WriteCase, request: Asked, key: string | null, where: string, isDone: boolean) {
  const { status } = await ask(request, key);
  if (!isDone) return expect(status, `${where}: retry`).toBe(write.status);
  // The retry fails because a secret is shown only once, or because the account already exists.
  const expected = write.isSecret || write.isPublic ? 400 : (write.repeatStatus ?? write.status);
  expect(status, `${where}: retry`).toBe(expected);
}

it('the fault cases together inject enough faults', () => {
  expect(injected).toBeGreaterThan((isLong ? 5 : 0.6) * cases.length);
});

it('a request without an idempotency key writes all or nothing on a fault, and a retry is a new request', async () => {
  await forgetAll();
  const world = await createWorld();
  const write = writeCases.createTask as WriteCase;
  const control = await runUndisturbed(world, write);
  for (const fault of faults) {
    const request = await write.prepare(world);
    const before = await snapshot();
    const plan = failing(2, fault);
    expect((await ask(request, null, plan.bindings)).status).toBe(fault === 'overloaded' ? 503 : 500);
    const changed = difference(before, await snapshot());
    expect(changed, fault).toEqual(plan.hasCommitted() ? control : {});
    expect((await ask(request, null)).status).toBe(201);
  }
  expect(await whatIsOff()).toEqual([]);
});

it("a request whose credential isn't cached writes once in total, whichever batch fails", async () => {
  await forgetAll();
  const world = await createWorld();
  const { member } = world.people;
  for (const fault of faults) {
    for (const batch of [1, 2, 3]) {
      const request = await (writeCases.createTask as WriteCase).prepare(world);
      const stranger = { token: await sessionToken(world, member.userId, Date.now() - 1000 * batch) };
      const key = crypto.randomUUID();
      const plan = failing(batch, fault);
      const { status } = await ask({ ...request, person: stranger }, key, plan.bindings);
      expect([201, 500, 503], `${fault} ${batch}`).toContain(status);
      expect((await ask({ ...request, person: stranger }, key)).status, `${fault} ${batch}`).toBe(201);
    }
  }
  const { results } = await meteredEnv.CELL_0.prepare('SELECT id FROM tasks').all();
  expect(results).toHaveLength(faults.length * 3);
  expect(await whatIsOff()).toEqual([]);
});
