import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { routes } from '../../../src/registry.ts';
import { indexWaitingTexts } from '../../../src/search/index/index-waiting-texts.ts';
import { meteredEnv } from '../../support/api.ts';
import { openScope } from '../../support/scope.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import { createSessionToken, createWorld, type World } from '../../support/world.ts';
import { countChangedRows, emptyDatabases, findInconsistencies, takeSnapshot } from './databases.ts';
import { createFaultyD1, type Fault, type FaultyD1, failNthBatch, faults } from './faulty-d1.ts';
import { sendTestRequest, type TestRequest } from './test-requests.ts';
import { type WriteCase, writeCases, writesTestedElsewhere } from './write-cases.ts';

const BATCHES_MAX = 12;
/** Public operations are tested with only two faults, because hashing passwords is slow by design. */
const publicFaults: readonly Fault[] = ['lost before it runs', 'lost after it ran'];

it('the fault cases cover every operation that writes', () => {
  const writing = routes.filter(({ operation }) => operation.effect === 'write');
  const known = [...Object.keys(writeCases), ...Object.keys(writesTestedElsewhere)];
  expect(writing.map(({ operation }) => operation.name).sort()).toEqual(known.sort());
});

let injected = 0;

const cases = pickEveryNth(2, Object.entries(writeCases));
for (const [index, [name, write]] of cases.entries()) {
  it(`${name} writes all or nothing if any batch fails, and a retry with the same idempotency key applies it once`, async () => {
    await emptyDatabases();
    const world = await createWorld();
    const control = await runWithoutFaults(world, write);
    for (const fault of listFaults(write, index)) await failEachBatch(world, name, fault, control);
    expect(await findInconsistencies()).toEqual([]);
  });
}

/** `npm test` rotates through the faults, with one fault per operation. */
function listFaults({ isPublic }: WriteCase, index: number): readonly Fault[] {
  const all = isPublic ? publicFaults : faults;
  return isLong ? all : [all[index % all.length] as Fault];
}

/**
 * Runs a request twice without faults, and returns the changes of the second run. The first run fills the cache, so
 * that later runs send the same batches.
 */
async function runWithoutFaults(world: World, write: WriteCase) {
  let changed = {};
  for (const run of ['cold', 'warm']) {
    const request = await write.prepare(world);
    const before = await takeSnapshot();
    expect((await sendTestRequest(request, createKey(write))).status, run).toBe(write.status);
    changed = countChangedRows(before, await takeSnapshot());
  }
  return changed;
}

/**
 * Fails the first batch of one request, the second batch of the next, and so on, until a request has fewer batches.
 * `npm test` fails only every other batch.
 */
async function failEachBatch(world: World, name: string, fault: Fault, control: object) {
  const write = writeCases[name] as WriteCase;
  for (let batch = 1; batch < BATCHES_MAX; batch += isLong ? 1 : 2) {
    const where = `${name}, batch ${batch} ${fault}`;
    const request = await write.prepare(world);
    const key = createKey(write);
    const before = await takeSnapshot();
    const plan = createFailingDatabases(batch, fault);
    const seen = await sendTestRequest(request, key, plan.bindings);
    const isDone = plan.hasCommitted() && batch !== write.notingBatch;
    if (!plan.hasFailed()) return expect(seen.status, where).toBe(write.status);
    injected += 1;
    const changed = countChangedRows(before, await takeSnapshot());
    expect(seen.headers.get('X-Request-Id'), where).toMatch(/^[0-9a-f-]{36}$/);
    if (seen.status >= 500) {
      expect([seen.status, where]).toEqual([fault === 'overloaded' ? 503 : 500, where]);
      expect(seen.body.error.code, where).toBe('internal');
      expect(changed, where).toEqual(isDone ? control : {});
      await retryRequest(write, request, key, where, isDone);
    } else {
      // The request succeeded, because a read was retried or because the batch ran after the response.
      expect(seen.status, where).toBe(write.status);
      // If text couldn't be indexed after the response, a cron job indexes it.
      if (!isDeepStrictEqual(changed, control))
        await indexWaitingTexts.run(openScope(), world.cell, unlimitedAllowance);
    }
    expect(countChangedRows(before, await takeSnapshot()), `${where}, at the end`).toEqual(control);
  }
  throw new Error(`${name} sends more than ${BATCHES_MAX} batches`);
}

function createKey(write: WriteCase): string | null {
  return write.isPublic ? null : crypto.randomUUID();
}

/** Fails the batch with this number, counting the batches to the directory and to cell 0 together. */
function createFailingDatabases(batch: number, fault: Fault) {
  let asked = 0;
  const decideFault = () => {
    asked += 1;
    return failNthBatch(batch, fault)(asked);
  };
  const both = [
    createFaultyD1(meteredEnv.DIRECTORY, decideFault),
    createFaultyD1(meteredEnv.CELL_0, decideFault),
  ] as const;
  const isAny = (what: (each: FaultyD1) => boolean) => both.some(what);
  return {
    bindings: { DIRECTORY: both[0].d1, CELL_0: both[1].d1 },
    hasFailed: () => isAny((each) => each.failed > 0),
    hasCommitted: () => isAny((each) => each.hasCommitted),
  };
}

async function retryRequest(
  write: WriteCase,
  request: TestRequest,
  key: string | null,
  where: string,
  isDone: boolean,
) {
  const { status } = await sendTestRequest(request, key);
  if (!isDone) return expect(status, `${where}: retry`).toBe(write.status);
  // A retry fails if the response contained a secret, which is shown only once, or if the account already exists.
  const expected = write.isSecret || write.isPublic ? 400 : (write.repeatStatus ?? write.status);
  expect(status, `${where}: retry`).toBe(expected);
}

it('the fault cases inject enough faults', () => {
  expect(injected).toBeGreaterThan((isLong ? 5 : 0.6) * cases.length);
});

it('a request without an idempotency key writes all or nothing if a batch fails, and a retry is a new request', async () => {
  await emptyDatabases();
  const world = await createWorld();
  const write = writeCases.createTask as WriteCase;
  const control = await runWithoutFaults(world, write);
  for (const fault of faults) {
    const request = await write.prepare(world);
    const before = await takeSnapshot();
    const plan = createFailingDatabases(2, fault);
    expect((await sendTestRequest(request, null, plan.bindings)).status).toBe(
      fault === 'overloaded' ? 503 : 500,
    );
    const changed = countChangedRows(before, await takeSnapshot());
    expect(changed, fault).toEqual(plan.hasCommitted() ? control : {});
    expect((await sendTestRequest(request, null)).status).toBe(201);
  }
  expect(await findInconsistencies()).toEqual([]);
});

it("a request whose credential isn't cached writes exactly once when it is retried after a batch fails", async () => {
  await emptyDatabases();
  const world = await createWorld();
  const { member } = world.people;
  for (const fault of faults) {
    for (const batch of [1, 2, 3]) {
      const request = await (writeCases.createTask as WriteCase).prepare(world);
      const stranger = { token: await createSessionToken(world, member.userId, Date.now() - 1000 * batch) };
      const key = crypto.randomUUID();
      const plan = createFailingDatabases(batch, fault);
      const { status } = await sendTestRequest({ ...request, person: stranger }, key, plan.bindings);
      expect([201, 500, 503], `${fault} ${batch}`).toContain(status);
      expect((await sendTestRequest({ ...request, person: stranger }, key)).status, `${fault} ${batch}`).toBe(
        201,
      );
    }
  }
  const { results } = await meteredEnv.CELL_0.prepare('SELECT id FROM tasks').all();
  expect(results).toHaveLength(faults.length * 3);
  expect(await findInconsistencies()).toEqual([]);
});
