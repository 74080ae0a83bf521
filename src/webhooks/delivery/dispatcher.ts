import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { listActiveWebhooks } from './delivery.queries.ts';
import { type QueueContext, WebhookQueue } from './webhook-queue.ts';

const CONCURRENCY_MAX = 6;
/** Limits concurrent messages to slow and failing receivers, to leave room for healthy ones. */
const SLOW_CONCURRENCY_MAX = 3;
const SLOW_MS = 1_000;
/** After this many messages in a row, a lagging webhook lets other webhooks go first. */
const CONSECUTIVE_STEPS_MAX = 10;
/** A step needs up to ten statements and calls, and Cloudflare allows 1,000 per invocation. */
const STEPS_PER_RUN_MAX = 90;
const RETRY_AFTER_ERROR_MS = 5_000;

export interface RunResult {
  readonly nextAt: number | null;
  readonly isIdle: boolean;
}

export class WebhookDispatcher {
  readonly #context: QueueContext;
  readonly #waiting: WebhookQueue[] = [];
  readonly #running = new Map<number, { queue: WebhookQueue; work: Promise<void> }>();
  readonly #slow = new Set<number>();
  readonly #missed = new Set<number>();
  /** Webhooks that failed because of an error on our side. They are tried again after a delay. */
  readonly #broken = new Set<number>();
  #stepsLeft = 0;
  #isStale = true;
  #wake: () => void = () => undefined;

  constructor(context: QueueContext) {
    this.#context = context;
  }

  refresh() {
    this.#isStale = true;
    this.#wake();
  }

  /** Runs until every webhook is up to date or no steps are left. Some messages may still be in flight afterwards. */
  async run(): Promise<RunResult> {
    this.#stepsLeft = STEPS_PER_RUN_MAX;
    this.#broken.clear();
    this.#context.creators.forgetAll();
    this.#isStale = true;
    for (;;) {
      await this.#serveWebhooks();
      const end = await this.#computeNextRun();
      if (!this.#isStale || this.#stepsLeft <= 0) return end;
    }
  }

  async #serveWebhooks() {
    for (;;) {
      if (this.#isStale) await this.#loadWebhooks();
      for (let queue = this.#takeNext(); queue; queue = this.#takeNext()) this.#start(queue);
      if (this.#stepsLeft <= 0) return;
      if (this.#isStale) continue;
      if (this.#running.size === 0) return;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, ...[...this.#running.values()].map(({ work }) => work)]);
    }
  }

  async #loadWebhooks() {
    this.#isStale = false;
    const scope = this.#openScope();
    const { cell, workspace } = this.#context.getWorkspaceKey();
    const [active] = await scope.cell(cell).batch([listActiveWebhooks(workspace)]);
    for (const sender of active) {
      const { id, lags, next_attempt_at: nextAttemptAt } = sender;
      if (this.#running.has(id)) this.#missed.add(id);
      else if (lags === 1 && (nextAttemptAt ?? 0) <= scope.now && !this.#isKnown(id)) {
        this.#waiting.push(new WebhookQueue(this.#context, sender));
      }
    }
  }

  #isKnown(id: number): boolean {
    return this.#broken.has(id) || this.#waiting.some((queue) => queue.id === id);
  }

  #openScope(): RequestScope {
    this.#stepsLeft -= 1;
    return this.#context.open();
  }

  /**
   * Reserves one slot for failing and slow webhooks, which would otherwise wait as long as healthy webhooks have
   * events.
   */
  #takeNext(): WebhookQueue | undefined {
    if (this.#running.size >= CONCURRENCY_MAX || this.#stepsLeft <= 0) return undefined;
    const running = [...this.#running.values()].filter(({ queue }) => this.#isUnhealthy(queue)).length;
    const unhealthy = this.#waiting.findIndex((queue) => this.#isUnhealthy(queue));
    const healthy = this.#waiting.findIndex((queue) => !this.#isUnhealthy(queue));
    const takesUnhealthy = running === 0 || (healthy < 0 && running < SLOW_CONCURRENCY_MAX);
    const index = unhealthy >= 0 && takesUnhealthy ? unhealthy : healthy;
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #isUnhealthy(queue: WebhookQueue): boolean {
    return queue.isFailing || this.#slow.has(queue.id);
  }

  #start(queue: WebhookQueue) {
    const work = this.#serveWebhook(queue).finally(() => {
      this.#running.delete(queue.id);
      // The queue may have read the log before the latest event was recorded.
      if (this.#missed.delete(queue.id)) this.#isStale = true;
    });
    this.#running.set(queue.id, { queue, work });
  }

  async #serveWebhook(queue: WebhookQueue) {
    try {
      for (let steps = 0; steps < CONSECUTIVE_STEPS_MAX && this.#stepsLeft > 0; steps += 1) {
        this.#stepsLeft -= 1;
        const hasMore = await queue.step();
        if (queue.lastMs > SLOW_MS) this.#slow.add(queue.id);
        else this.#slow.delete(queue.id);
        if (!hasMore) return;
      }
      this.#waiting.push(queue);
    } catch (error) {
      // If the result of a message wasn't recorded, the next run sends the message again, with the same id.
      this.#broken.add(queue.id);
      log('error', 'webhook.failed', { webhook: queue.id, cause: describeError(error) });
    }
  }

  async #computeNextRun(): Promise<RunResult> {
    const scope = this.#context.open();
    const { now } = scope;
    const { cell, workspace } = this.#context.getWorkspaceKey();
    const [active] = await scope.cell(cell).batch([listActiveWebhooks(workspace)]);
    if (this.#stepsLeft <= 0) return { nextAt: now, isIdle: false };
    const times = active.flatMap(({ id, lags, next_attempt_at: nextAttemptAt }) => {
      if (this.#broken.has(id)) return now + RETRY_AFTER_ERROR_MS;
      return lags === 1 && nextAttemptAt !== null ? nextAttemptAt : [];
    });
    return { nextAt: times.length > 0 ? Math.min(...times) : null, isIdle: active.length === 0 };
  }
}
