import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { routes } from '../../src/registry.ts';
import { nameOf } from '../contract/requests.ts';
import { createFuzzWorld, type FuzzWorld, replenish } from './fuzz-world.ts';
import { requestsAnywhere, requestsTo, type WireRequest } from './requests.ts';
import { watchStore } from './store.ts';
import { judge, type Store } from './verdict.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** How `npm run fuzz` asks for more than the quick run. */
    fuzz?: { requests: number; seed: number };
  }
  interface TaskMeta {
    /** Answers by status. */
    answers?: Record<string, number>;
  }
}

const REQUESTS_QUICK = 3200;
const SEED_QUICK = 20_261_101;
const MS_A_REQUEST = 250;

const { requests, seed } = inject('fuzz') ?? { requests: REQUESTS_QUICK, seed: SEED_QUICK };
const each = Math.ceil(requests / (routes.length + 1));
const timeout = 30_000 + each * MS_A_REQUEST;

let fuzz: FuzzWorld;
let store: Store;

beforeAll(async () => {
  fuzz = await createFuzzWorld();
});

/** Fails with a request that can be read and sent again. */
async function hold(arbitrary: fc.Arbitrary<WireRequest>, answers: Record<string, number>) {
  store = await watchStore();
  const property = fc.asyncProperty(arbitrary, async (wire) => {
    const status = await judge(wire, store);
    answers[status] = (answers[status] ?? 0) + 1;
  });
  const outcome = await fc.check(property, { seed, numRuns: each, endOnFailure: false });
  if (!outcome.failed) return;
  const wire = outcome.counterexample?.[0];
  const reason = outcome.errorInstance instanceof Error ? outcome.errorInstance.message : 'did not hold';
  expect.fail(`${reason}\n${wire ? printed(wire) : ''}\nseed ${outcome.seed}, path ${outcome.counterexamplePath}`);
}

function printed({ method, target, headers, body }: WireRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value.slice(0, 600)}`);
  const bytes = body === null ? '' : JSON.stringify(new TextDecoder('latin1').decode(body)).slice(0, 3000);
  return [`${method} ${target.slice(0, 3000)}`, ...lines, bytes].join('\n');
}

describe('a hostile request', () => {
  it.for(routes.map((route) => [nameOf(route), route] as const))(
    'to %s gets an answer of the contract, and changes nothing where it is refused',
    { timeout },
    async ([, route], { task }) => {
      task.meta.answers = {};
      await hold(requestsTo(route, { ...fuzz, pool: await replenish(fuzz) }), task.meta.answers);
    },
  );

  it('to any other address does too', { timeout }, async ({ task }) => {
    task.meta.answers = {};
    await hold(requestsAnywhere(fuzz), task.meta.answers);
  });
});
