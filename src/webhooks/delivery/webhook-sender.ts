import { parseEnv } from '../../env.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { createRequestScope } from '../../kernel/operation/request-scope.ts';
import { Creators } from './creator.ts';
import type { Place } from './delivery.queries.ts';
import { Dispatcher } from './dispatcher.ts';

const ACTIVE = 'webhooks';
const AFTER_ERROR_MS = 10_000;

/** What the sender needs of the object that it is part of. */
type Storage = Pick<DurableObjectStorage, 'kv' | 'setAlarm'>;

/**
 * The part of a workspace's object that sends to its webhooks. The cursors are rows of the cell: whatever this object
 * forgets, and whenever it dies, the next run goes on after the last event of which the cell knows that it was taken.
 */
export class WebhookSender {
  readonly #storage: Storage;
  readonly #place: () => Place;
  readonly #dispatcher: Dispatcher;
  #isRunning = false;
  #settles = false;

  constructor(storage: Storage, env: Env, place: () => Place) {
    this.#storage = storage;
    this.#place = place;
    const { kv } = storage;
    this.#dispatcher = new Dispatcher({
      place,
      open: () =>
        createRequestScope({
          env,
          config: parseEnv(env),
          origin: 'http://localhost',
          waitUntil: (work) => void work,
        }),
      batches: {
        get: (webhook) => kv.get(`batch ${webhook}`) ?? null,
        put: (webhook, batch) => kv.put(`batch ${webhook}`, batch),
      },
      creators: new Creators(),
      settles: () => this.#settles,
    });
  }

  /** Something was logged. Costs nothing more where the workspace has no active webhook. */
  async wake(): Promise<void> {
    if (this.#storage.kv.get(ACTIVE) !== undefined) await this.#arm();
  }

  /**
   * The workspace has webhooks that may have something to get.
   * @param settles whether to write the cursors of those that have nothing to get as well.
   */
  async begin(settles: boolean): Promise<void> {
    this.#storage.kv.put(ACTIVE, true);
    this.#settles ||= settles;
    await this.#arm();
  }

  async #arm(): Promise<void> {
    if (this.#isRunning) this.#dispatcher.refresh();
    else await this.#storage.setAlarm(Date.now());
  }

  /** Alarms come at least once and never two at a time. */
  async alarm(): Promise<void> {
    this.#isRunning = true;
    try {
      const { nextAt, isIdle } = await this.#dispatcher.run();
      this.#isRunning = false;
      if (nextAt !== null) await this.#storage.setAlarm(nextAt);
      else if (isIdle) this.#storage.kv.delete(ACTIVE);
    } catch (error) {
      this.#isRunning = false;
      log('error', 'webhooks.failed', { ...this.#place(), cause: describeError(error) });
      await this.#storage.setAlarm(Date.now() + AFTER_ERROR_MS);
    } finally {
      this.#settles = false;
    }
  }
}
