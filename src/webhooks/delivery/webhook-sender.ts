import { parseEnv } from '../../env.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { createRequestScope } from '../../kernel/operation/request-scope.ts';
import { CreatorCache } from './creators.ts';
import type { WorkspaceKey } from './delivery.queries.ts';
import { WebhookDispatcher } from './dispatcher.ts';

const ACTIVE_KEY = 'webhooks';
const RETRY_AFTER_ERROR_MS = 10_000;

type SenderStorage = Pick<DurableObjectStorage, 'kv' | 'setAlarm'>;

/** The cell stores the cursors, so the next run continues after the last delivery even if this object crashes. */
export class WebhookSender {
  readonly #storage: SenderStorage;
  readonly #getWorkspaceKey: () => WorkspaceKey;
  readonly #dispatcher: WebhookDispatcher;
  #isRunning = false;
  #savesIdleCursors = false;

  constructor(storage: SenderStorage, env: Env, getWorkspaceKey: () => WorkspaceKey) {
    this.#storage = storage;
    this.#getWorkspaceKey = getWorkspaceKey;
    const { kv } = storage;
    this.#dispatcher = new WebhookDispatcher({
      getWorkspaceKey,
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
      creators: new CreatorCache(),
      savesIdleCursors: () => this.#savesIdleCursors,
    });
  }

  /** Called after every logged event, so it must cost almost nothing for workspaces without active webhooks. */
  async wake(): Promise<void> {
    if (this.#storage.kv.get(ACTIVE_KEY) !== undefined) await this.#startOrRefresh();
  }

  /** If `savesIdleCursors` is true, also saves the cursors of webhooks that have nothing to send. */
  async activate(savesIdleCursors: boolean): Promise<void> {
    this.#storage.kv.put(ACTIVE_KEY, true);
    this.#savesIdleCursors ||= savesIdleCursors;
    await this.#startOrRefresh();
  }

  async #startOrRefresh(): Promise<void> {
    if (this.#isRunning) this.#dispatcher.refresh();
    else await this.#storage.setAlarm(Date.now());
  }

  /** Alarms can run more than once, but never in parallel. */
  async alarm(): Promise<void> {
    this.#isRunning = true;
    try {
      const { nextAt, isIdle } = await this.#dispatcher.run();
      this.#isRunning = false;
      if (nextAt !== null) await this.#storage.setAlarm(nextAt);
      else if (isIdle) this.#storage.kv.delete(ACTIVE_KEY);
    } catch (error) {
      this.#isRunning = false;
      log('error', 'webhooks.failed', { ...this.#getWorkspaceKey(), cause: describeError(error) });
      await this.#storage.setAlarm(Date.now() + RETRY_AFTER_ERROR_MS);
    } finally {
      this.#savesIdleCursors = false;
    }
  }
}
