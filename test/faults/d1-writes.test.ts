import { expect, it } from 'vitest';
import { routes } from '../../src/registry.ts';
import { meteredEnv, ORIGIN, send } from '../support/api.ts';
import { assertDocumented, findRoute } from '../support/contract.ts';
import { createWorld, type World } from '../support/world.ts';
import { type FaultyD1, faults, faultyD1, nth } from './faulty-d1.ts';
import { s3 } from '../attachments/presigning.ts';
import { difference, forgetAll, snapshot, whatIsOff } from './store.ts';
import { otherWrites, type WriteCase, type WriteRequest, writeCases } from './writes.ts';

const BATCHES_MAX = 12;

interface Seen {
  status: number;
  code: string | undefined;
  requestId: string | null;
  replayed: boolean;
}

/** Sends a request as a client does, and checks what came against the contract. */
async function ask(request: WriteRequest, key: string | null, bindings: Partial<Env> = {}): Promise<Seen> {
  const { method, path, body, headers, person } = request;
  const response = await send(
    new Request(`${ORIGIN}/v1${path}`, {
      method,
      headers: {
        ...(person && { Authorization: `Bearer ${person.token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== null && { 'Idempotency-Key': key }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
    { ...s3, ...bindings },
  );
  const answer = { status: response.status, body: JSON.parse(await response.text()) };
  assertDocumented(findRoute(method, path), answer, { isTrimmed: false });
  return {
    status: answer.status,
    code: answer.body?.error?.code,
    requestId: response.headers.get('X-Request-Id'),
    replayed: response.headers.get('Idempotent-Replayed') === 'true',
  };
}

/** Which database the n-th batch of a request goes to does not matter: they are counted together. */
function failing(batch: number, fault: (typeof faults)[number]) {
  let asked = 0;
  const decide = () => {
    asked += 1;
    return nth(batch, fault)(asked);
  };
  const all = {
    DIRECTORY: faultyD1(meteredEnv.DIRECTORY, decide),
    CELL_0: faultyD1(meteredEnv.CELL_0, decide),
  };
  const bindings = { DIRECTORY: all.DIRECTORY.d1, CELL_0: all.CELL_0.d1 };
  const any = (what: (each: FaultyD1) => boolean) => Object.values(all).some(what);
  return {
    bindings,
    hasFailed: () => any((each) => each.failed > 0),
    hasCommitted: () => any((each) => each.hasCommitted),
  };
}

it('knows every operation that writes', () => {
  const writing = routes.filter(({ operation }) => operation.effect === 'write');
  const known = [...Object.keys(writeCases), ...Object.keys(otherWrites)];
  expect(writing.map(({ operation }) => operation.name).sort()).toEqual(known.sort());
});

let injected = 0;

for (const [name, write] of Object.entries(writeCases)) {
  it(`${name} is all or nothing, and a retry makes it once, whatever becomes of a batch`, async () => {
    await forgetAll();
    const world = await createWorld();
    // Warms the caller's cache, so that every run sends the same batches.
    const control = await runOnce(world, write);
    for (const fault of faults) {
      for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
        const where = `${name}: batch ${batch} ${fault}`;
        const request = await write.prepare(world);
        const key = write.isPublic ? null : crypto.randomUUID();
        const before = await snapshot();
        const plan = failing(batch, fault);
        const seen = await ask(request, key, plan.bindings);
        const after = await snapshot();
        if (!plan.hasFailed()) {
          expect(seen.status, where).toBe(write.status);
          break;
        }
        injected += 1;
        expect(seen.requestId, where).toMatch(/^[0-9a-f-]{36}$/);
        if (seen.status === 500) expect(seen.code, where).toBe('internal');
        else expect(seen.status, where).toBe(write.status);
        const done = difference(before, after);
        if (seen.status === 500 && !plan.hasCommitted()) expect(done, where).toEqual({});
        else expect(done, where).toEqual(control);
        if (seen.status === 500) await retry(write, request, key, where, plan.hasCommitted());
        expect(difference(before, await snapshot()), `${where}, after the retry`).toEqual(control);
        expect(batch, 'a request that never ends').toBeLessThan(BATCHES_MAX);
      }
    }
    expect(await whatIsOff()).toEqual([]);
  });
}

async function runOnce(world: World, write: WriteCase) {
  for (let warm = 0; warm < 2; warm += 1) {
    const request = await write.prepare(world);
    const before = await snapshot();
    const { status } = await ask(request, write.isPublic ? null : crypto.randomUUID());
    expect(status).toBe(write.status);
    if (warm === 1) return difference(before, await snapshot());
  }
  return {};
}

async function retry(write: WriteCase, request: WriteRequest, key: string | null, where: string, isDone: boolean) {
  const { status } = await ask(request, key);
  if (!isDone) return expect(status, `${where}: retry`).toBe(write.status);
  // A secret is told once, and an account that exists cannot be made again: both answers say so.
  const expected = write.isSecret || write.isPublic ? 400 : (write.repeatStatus ?? write.status);
  // Open: the session of an upload is discarded though its reservation was written (docs/reliability.md).
  const isOpen = request.path === '/chunked-upload/init' && status === 404;
  if (!isOpen) expect(status, `${where}: retry`).toBe(expected);
}

it('injected faults', () => {
  expect(injected).toBeGreaterThan(200);
});
