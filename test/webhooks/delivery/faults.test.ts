import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFaultyD1, failNthBatch, testedFaults } from '../../suites/faults/faulty-d1.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';
import {
  createBatchStore,
  createDispatcher,
  createTaskWithoutDelivery,
  silentBindings,
} from './controlled-run.ts';
import {
  makeRetriesDue,
  openReceiver,
  openReceivers,
  type Receiver,
  readLog,
  readWebhook,
  verifySignature,
} from './receivers.ts';

const EVENTS = 3;
const BATCHES_MAX = 60;
let world: World;

beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

const createTaskAsOwner = () => createTaskWithoutDelivery(world.people.owner, world.projects.joined.id);

async function prepareDelivery(
  batch: boolean,
): Promise<{ receiver: Receiver; hook: { id: number; cursor: number; secret: string } }> {
  world = await createWorld();
  const receiver = openReceiver();
  const { token } = world.people.owner;
  const { body } = await api(token, silentBindings).post('/webhooks', { url: receiver.url, batch });
  for (let n = 0; n < EVENTS; n += 1) await createTaskAsOwner();
  return { receiver, hook: body };
}

/** Asserts that the receiver got every event in order, and that repeated messages had the same id and text. */
async function expectCompleteDelivery(
  { receiver, hook }: Awaited<ReturnType<typeof prepareDelivery>>,
  where: string,
) {
  const byId = new Map<string, string>();
  const seqs: number[] = [];
  for (const message of receiver.messages) {
    verifySignature(hook.secret, message);
    const known = byId.get(message.messageId);
    if (known !== undefined) expect(message.text, `${where}: the same id`).toBe(known);
    else for (const { seq } of message.body.events ?? [message.body]) seqs.push(seq);
    byId.set(message.messageId, message.text);
  }
  const log = await readLog(world, hook.cursor);
  expect(seqs, where).toEqual(log.map(({ seq }) => seq));
  const { cursor, failures } = await readWebhook(world.people.owner, hook.id);
  expect([cursor, failures], where).toEqual([log.at(-1)?.seq, 0]);
}

describe.each([false, true])('webhook delivery (in batches: %s)', (batch) => {
  it.each(testedFaults)(
    'skips no event, and repeats messages only with the same id, if a database batch fails (fault: %s)',
    async (fault) => {
      let injected = 0;
      for (let step = 1; step < BATCHES_MAX; step += 1) {
        const prepared = await prepareDelivery(batch);
        const batches = createBatchStore();
        const faulty = createFaultyD1(meteredEnv.CELL_0, failNthBatch(step, fault));
        await createDispatcher(world, batches, { CELL_0: faulty.d1 })
          .run()
          .catch(() => undefined);
        if (faulty.failed === 0) {
          expect(injected).toBeGreaterThan(batch ? 3 : 2 * EVENTS);
          return;
        }
        injected += 1;
        // A new event may be logged before the next run.
        await createTaskAsOwner();
        await makeRetriesDue(world);
        await createDispatcher(world, batches).run();
        await expectCompleteDelivery(prepared, `batch ${step} ${fault}`);
      }
      throw new Error('a run sends more batches than this test tries');
    },
  );

  it.each(['before', 'after'])(
    'skips no event if the sender crashes right %s sending a message',
    async (when) => {
      for (let message = 1; message <= (batch ? 1 : EVENTS); message += 1) {
        const prepared = await prepareDelivery(batch);
        const { receiver } = prepared;
        const batches = createBatchStore();
        let calls = 0;
        const deliver = vi.mocked(fetch).getMockImplementation();
        const died = new Promise<void>((dead) => {
          vi.mocked(fetch).mockImplementation(async (...args) => {
            calls += 1;
            if (calls !== message) return deliver?.(...args) as Promise<Response>;
            if (when === 'after') await deliver?.(...args);
            dead();
            return new Promise<Response>(() => undefined);
          });
        });
        void createDispatcher(world, batches).run();
        await died;
        await createTaskAsOwner();
        await createDispatcher(world, batches).run();
        await expectCompleteDelivery(prepared, `message ${message} ${when}`);
        expect(receiver.messages.length, String(message)).toBe(
          (batch ? 2 : EVENTS + 1) + (when === 'after' ? 1 : 0),
        );
        vi.mocked(fetch).mockImplementation(deliver as typeof fetch);
      }
    },
  );

  it('neither rewinds the cursor nor skips events when two senders run in parallel', async () => {
    const prepared = await prepareDelivery(batch);
    const { receiver, hook } = prepared;
    const late = Promise.withResolvers<Response>();
    const arrived = Promise.withResolvers<void>();
    receiver.answer = () => {
      arrived.resolve();
      return receiver.messages.length === 1 ? late.promise : new Response('ok');
    };
    const batches = createBatchStore();
    const first = createDispatcher(world, batches).run();
    await arrived.promise;
    await createDispatcher(world, batches).run();
    await expectCompleteDelivery(prepared, 'the second life');
    await createTaskAsOwner();
    late.resolve(new Response('ok'));
    await first;
    await createDispatcher(world, batches).run();
    await expectCompleteDelivery(prepared, 'the end');
    const { results } = await getCell(world.cell)
      .prepare('SELECT cursor FROM webhooks WHERE id = ?')
      .bind(hook.id)
      .all();
    expect(results).toEqual([{ cursor: (await readLog(world)).at(-1)?.seq }]);
  });
});
