import type { Caller, OAuthScope } from '../../kernel/access/access.ts';
import { describeUnsafeUrl } from '../../kernel/net/outbound-url.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { StaleCallerError } from '../../kernel/sql/database.ts';
import { queueDeliveryFailureMail, queueMissingScopesMail } from './creator-mail.ts';
import type { CreatorCache } from './creators.ts';
import {
  findWebhookSender,
  insertDelivery,
  moveCursor,
  recordFailure,
  recordSuccess,
  skipDeletedEvents,
  stopWebhook,
  type WebhookSenderRow,
  type WorkspaceKey,
} from './delivery.queries.ts';
import { composeMessage, type WebhookMessage } from './message.ts';
import { type NextEvents, readNextEvents } from './read-next-events.ts';
import { planRetry } from './retry-schedule.ts';
import { type DeliveryAttempt, sendMessage } from './send-message.ts';
import { openSigningSecrets } from './signing-secrets.ts';
import { type StopReason, webhookScopes } from './stop-reasons.ts';

/** If fewer events are skipped, the cursor isn't saved, because reading them again is cheaper than a write. */
const SAVED_SKIPPED_EVENTS_MIN = 100;

/** Stores which events each webhook's last batch contains, so that a retry contains the same events. */
export interface BatchStore {
  get(webhook: number): { from: number; to: number } | null;
  put(webhook: number, batch: { from: number; to: number }): void;
}

export interface QueueContext {
  getWorkspaceKey(): WorkspaceKey;
  open(): RequestScope;
  readonly batches: BatchStore;
  readonly creators: CreatorCache;
  savesIdleCursors(): boolean;
}

/** Sends a webhook's events in order. Each message waits until the previous one has been delivered. */
export class WebhookQueue {
  readonly #context: QueueContext;
  #sender: WebhookSenderRow;
  lastMs = 0;

  constructor(context: QueueContext, sender: WebhookSenderRow) {
    this.#context = context;
    this.#sender = sender;
  }

  get id(): number {
    return this.#sender.id;
  }

  get isFailing(): boolean {
    return this.#sender.failures > 0;
  }

  /** Sends at most one message. Returns true if there may be more to send immediately. */
  async step(): Promise<boolean> {
    const scope = this.#context.open();
    const before = this.#sender;
    const creator = await this.#context.creators.find(scope, this.#context.getWorkspaceKey(), before);
    if (!creator) return this.#stop(scope, 'access_ended');
    const missing = webhookScopes.filter((each) => !creator.scopes.includes(each));
    if (missing.length > 0) return this.#pauseForScopes(scope, creator, missing);
    const begun = before.batch === 1 ? this.#context.batches.get(before.id) : null;
    let next: NextEvents;
    try {
      next = await readNextEvents(scope, creator, before, begun?.from === before.cursor ? begun.to : null);
    } catch (error) {
      if (!(error instanceof StaleCallerError)) throw error;
      this.#context.creators.forget(before);
      return true;
    }
    const { sender: current } = next;
    if (current?.status !== 'active' || (current.next_attempt_at ?? 0) > scope.now) return false;
    this.#sender = current;
    if (haveSettingsChanged(before, current)) return true;
    if (current.cursor < next.oldest - 1) return this.#skipExpired(scope, next.oldest);
    const [first, ...rest] = next.events;
    if (!first) return this.#skipEvents(scope, next);
    return this.#send(scope, creator, composeMessage(current, [first, ...rest]), next.head);
  }

  async #send(scope: RequestScope, creator: Caller, message: WebhookMessage, head: number): Promise<boolean> {
    const sender = this.#sender;
    const deploymentHost = new URL(scope.origin).hostname;
    const unsafe = describeUnsafeUrl(sender.url, { isLocal: scope.config.isLocal, deploymentHost });
    if (unsafe) return this.#stop(scope, 'address_refused');
    const secrets = await openSigningSecrets(scope, creator.workspaceId, sender);
    if (!secrets) return this.#stop(scope, 'secret_unreadable');
    const to = message.lastSeq ?? sender.cursor;
    if (sender.batch === 1) this.#context.batches.put(sender.id, { from: sender.cursor, to });
    const signed = { ...message, timestamp: Math.floor(scope.now / 1000) };
    const attempt = await sendMessage(sender.url, secrets, signed);
    this.lastMs = attempt.ms;
    return attempt.isDelivered
      ? this.#recordSuccess(message, attempt, to, head)
      : this.#recordFailure(creator, message, attempt);
  }

  async #recordSuccess(
    message: WebhookMessage,
    attempt: DeliveryAttempt,
    to: number,
    head: number,
  ): Promise<boolean> {
    const { id, cursor: from } = this.#sender;
    const { workspace } = this.#context.getWorkspaceKey();
    const { now } = this.#context.open();
    const [, , current] = await this.#cell().batch([
      recordSuccess(workspace, id, { from, to }, now),
      insertDelivery(workspace, id, message, attempt, now),
      findWebhookSender(workspace, id),
    ]);
    if (current === null) return false;
    this.#sender = current;
    // Events after `head` don't matter here, because they have already woken the dispatcher.
    return current.status === 'active' && current.cursor < head;
  }

  async #recordFailure(creator: Caller, message: WebhookMessage, attempt: DeliveryAttempt): Promise<boolean> {
    const { id, failures, failing_since: failingSince, warned, url } = this.#sender;
    const { workspace } = this.#context.getWorkspaceKey();
    const scope = this.#context.open();
    const { now } = scope;
    const failure = { failures, failingSince, wasWarned: warned === 1, retryAfterMs: attempt.retryAfterMs };
    const { nextAttemptAt, warns } =
      attempt.status === 410 ? { nextAttemptAt: null, warns: false } : planRetry(failure, now, Math.random());
    const hasEnded = nextAttemptAt === null && attempt.status !== 410;
    // Sends the email first, so that a crash repeats the email instead of losing it.
    if (warns || hasEnded)
      await queueDeliveryFailureMail(scope, creator, { id, url, hasEnded, error: attempt.error ?? '' });
    await this.#cell().batch([
      recordFailure(
        workspace,
        this.#sender,
        {
          nextAttemptAt,
          warned: warned === 1 || warns,
          stopReason: attempt.status === 410 ? 'receiver_gone' : hasEnded ? 'failed_too_long' : null,
        },
        now,
      ),
      insertDelivery(workspace, id, message, attempt, now),
    ]);
    return false;
  }

  async #skipEvents(scope: RequestScope, { readTo, head }: NextEvents): Promise<boolean> {
    const { id, cursor, failures } = this.#sender;
    const isWorthSaving =
      readTo < head ||
      readTo - cursor >= SAVED_SKIPPED_EVENTS_MIN ||
      failures > 0 ||
      this.#context.savesIdleCursors();
    if (readTo > cursor && isWorthSaving) {
      await scope
        .cell(this.#context.getWorkspaceKey().cell)
        .batch([moveCursor(this.#context.getWorkspaceKey().workspace, id, cursor, readTo)]);
      this.#sender = { ...this.#sender, cursor: readTo };
    }
    return readTo < head;
  }

  async #skipExpired(scope: RequestScope, oldest: number): Promise<boolean> {
    const { cell, workspace } = this.#context.getWorkspaceKey();
    await scope.cell(cell).batch([skipDeletedEvents(workspace, this.id, oldest)]);
    return true;
  }

  async #pauseForScopes(
    scope: RequestScope,
    creator: Caller,
    missing: readonly OAuthScope[],
  ): Promise<boolean> {
    const { id, url } = this.#sender;
    await queueMissingScopesMail(scope, creator, { id, url, missing });
    return this.#stop(scope, 'scope');
  }

  async #stop(scope: RequestScope, reason: StopReason): Promise<boolean> {
    const { cell, workspace } = this.#context.getWorkspaceKey();
    await scope.cell(cell).batch([stopWebhook(workspace, this.id, reason)]);
    return false;
  }

  #cell() {
    return this.#context.open().cell(this.#context.getWorkspaceKey().cell);
  }
}

function haveSettingsChanged(a: WebhookSenderRow, b: WebhookSenderRow): boolean {
  const keys = ['cursor', 'member', 'credential', 'types', 'project', 'batch'] as const;
  return keys.some((key) => a[key] !== b[key]);
}
