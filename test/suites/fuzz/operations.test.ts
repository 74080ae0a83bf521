import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it, type TaskMeta } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { getRouteName } from '../../contract/requests.ts';
import { runCron } from '../../support/cron.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import { HANG_MS } from '../../support/timeout.ts';
import { openReceivers } from '../../webhooks/delivery/receivers.ts';
import { findInconsistencies } from '../faults/databases.ts';
import { checkRequest } from './check-request.ts';
import { checkForm, createSender, generateForms } from './forms.ts';
import { createFuzzObjects, createFuzzWorld, type FuzzWorld } from './fuzz-world.ts';
import { generateRequests, generateUnroutedRequests, type WireRequest } from './requests.ts';
import { watchWrites } from './watch-writes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `scripts/fuzz.ts` to run more requests than `npm test` does. */
    fuzz?: { requests: number; seed: number };
  }
  interface TaskMeta {
    /** The number of responses with each status. */
    answers?: Record<string, number>;
  }
}

const REQUESTS_QUICK = isLong ? 3200 : 100;
const SEED_QUICK = 20_261_101;
const MS_PER_REQUEST = 250;
/** If a request succeeds, these operations hash a password, which is slow by design. */
const hashingOperations = ['login', 'register'];

const { requests, seed } = inject('fuzz') ?? { requests: REQUESTS_QUICK, seed: SEED_QUICK };
const requestsPerRoute = Math.ceil(requests / (routes.length + 1));
const timeout = HANG_MS + requestsPerRoute * MS_PER_REQUEST;

let fuzzWorld: FuzzWorld;

beforeAll(async () => {
  fuzzWorld = await createFuzzWorld();
});

/** On failure, prints a readable request and the command that repeats it. */
async function checkProperty(
  arbitrary: fc.Arbitrary<WireRequest>,
  run: { seed: number; numRuns: number },
  { name, meta }: { name: string; meta: TaskMeta },
) {
  meta.answers = {};
  const answers: Record<string, number> = meta.answers;
  const store = watchWrites();
  const property = fc.asyncProperty(arbitrary, async (wire) => {
    const status = await checkRequest(wire, store);
    answers[status] = (answers[status] ?? 0) + 1;
  });
  const outcome = await fc.check(property, run);
  if (!outcome.failed) return;
  const wire = outcome.counterexample?.[0];
  const reason = outcome.errorInstance instanceof Error ? outcome.errorInstance.message : 'the check failed';
  const only = name.split(' ').slice(1, 4).join(' ');
  const again = `node scripts/install.mjs scripts/fuzz.ts --requests ${requests} --seed ${seed} --only '${only}'`;
  expect.fail(`${reason}\n${wire ? formatRequest(wire) : ''}\n${again}`);
}

function formatRequest({ method, target, headers, body }: WireRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value.slice(0, 300)}`);
  const bytes = body === null ? '' : JSON.stringify(new TextDecoder('latin1').decode(body)).slice(0, 1500);
  return [`${method} ${target.slice(0, 600)}`, ...lines, bytes].join('\n');
}

describe('a hostile request', () => {
  it.for(routes.map((route, index) => [getRouteName(route), route, index] as const))(
    'to %s gets a documented response, and changes nothing if it is rejected',
    { timeout },
    async ([, route, index], { task }) => {
      const numRuns = hashingOperations.includes(route.operation.name)
        ? Math.ceil(requestsPerRoute / 3)
        : requestsPerRoute;
      const requests = generateRequests(route, { ...fuzzWorld, pool: await createFuzzObjects(fuzzWorld) });
      await checkProperty(requests, { seed: seed + index, numRuns }, task);
    },
  );

  it('to any other URL gets a documented response', { timeout }, async ({ task }) => {
    await checkProperty(
      generateUnroutedRequests(fuzzWorld),
      { seed: seed - 1, numRuns: requestsPerRoute },
      task,
    );
  });
});

/** The number of submissions per form. `scripts/fuzz.ts` submits each form as often as it runs each operation. */
const FORMS_QUICK = isLong ? 3 : 1;
const pickCases = <T>(cases: readonly T[]) => (inject('fuzz') ? cases : pickEveryNth(3, cases));

describe('a hostile form', () => {
  it.for(pickCases(forms.map((form, index) => [form.name, form, index] as const)))(
    'sent to %s succeeds or shows an error, and changes nothing if it is rejected',
    { timeout },
    async ([, form, index], { task }) => {
      openReceivers();
      const sender = await createSender(fuzzWorld.world, form);
      const store = watchWrites();
      const answers: Record<string, number> = {};
      task.meta.answers = answers;
      const property = fc.asyncProperty(generateForms(form, sender), async (wire) => {
        const status = await checkForm(sender, wire, store);
        answers[status] = (answers[status] ?? 0) + 1;
      });
      const numRuns = inject('fuzz') ? requestsPerRoute : FORMS_QUICK;
      const outcome = await fc.check(property, { seed: seed + index, numRuns });
      if (!outcome.failed) return;
      const reason =
        outcome.errorInstance instanceof Error ? outcome.errorInstance.message : 'the check failed';
      expect.fail(`${reason}\n${JSON.stringify(outcome.counterexample?.[0]).slice(0, 1500)}`);
    },
  );

  it('leaves the directory and both cells consistent', async () => {
    await runCron('* * * * *');
    expect(await findInconsistencies()).toEqual([]);
  });
});
