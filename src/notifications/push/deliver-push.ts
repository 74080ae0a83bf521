import { HOUR_MS, MINUTE_MS } from '../../kernel/dates/durations.ts';
import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { SQL } from '../../kernel/sql/database.ts';
import {
  type ClaimedMessage,
  claimMessages,
  deleteMessages,
  postponeMessages,
  selectDueMessages,
  selectDueMessagesById,
} from './messages.queries.ts';
import { type PushOutcome, sendPush } from './send-push.ts';
import { deleteGoneSubscriptions } from './subscriptions.queries.ts';

/** A push service keeps a message this long for a browser that is offline. Older messages are no longer news. */
export const MESSAGE_LIFETIME_MS = 24 * HOUR_MS;
/** Much longer than an attempt takes, so that no other run claims the message meanwhile. Doubles after each attempt. */
const FIRST_WAIT_MS = 2 * MINUTE_MS;
/** Fetches don't count toward the budget of cron jobs, which leaves 100 of the calls that Cloudflare allows. */
export const SENDS_PER_RUN_MAX = 20;
/** One statement claims messages, and three record the results, twice if the first time fails. */
export const DELIVERY_COST = 7;

type PushScope = Pick<RequestScope, 'directory' | 'config' | 'origin' | 'now'>;

/** Retries failed messages, and sends those that `collectPush` had no time for. */
export const deliverPush: DirectoryJob = {
  name: 'push.deliver',
  cost: DELIVERY_COST,
  async run(scope) {
    const sent = await deliverMessages(scope, selectDueMessages(scope.now, SENDS_PER_RUN_MAX));
    return sent === SENDS_PER_RUN_MAX;
  },
};

export async function deliverMessagesById(scope: PushScope, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await deliverMessages(scope, selectDueMessagesById(ids, scope.now));
}

/** Parallel calls send each message once, because only one of them claims it. */
async function deliverMessages(scope: PushScope, due: SQL): Promise<number> {
  const { directory, now } = scope;
  const [claimed] = await directory.batch([claimMessages(due, FIRST_WAIT_MS, now)]);
  if (claimed.length === 0) return 0;
  const attempts = await Promise.all(
    claimed.map(async (message) => ({
      message,
      outcome: message.expires_at > now ? await sendPush(scope, message) : expired,
    })),
  );
  for (const { message, outcome } of attempts) logFailure(message, outcome);
  const list = (...kinds: readonly PushOutcome['kind'][]) =>
    attempts.filter(({ outcome }) => kinds.includes(outcome.kind)).map(({ message }) => message);
  const results = [
    deleteMessages(list('sent', 'rejected').map(({ id }) => id)),
    postponeMessages(attempts.flatMap(({ message, outcome }) => toPostponedMessage(message, outcome, now))),
    deleteGoneSubscriptions(
      list('gone').map(({ session_hash: sessionHash, endpoint }) => ({ sessionHash, endpoint })),
    ),
  ];
  // Without a record, a later run would send these messages again.
  await directory.batch(results).catch(() => directory.batch(results));
  return claimed.length;
}

const expired: PushOutcome = { kind: 'rejected', reason: 'expired' };

function toPostponedMessage({ id, attempts }: ClaimedMessage, outcome: PushOutcome, now: number) {
  if (outcome.kind !== 'failed' || outcome.retryAfterMs === null) return [];
  return [{ id, attempts, until: now + Math.min(outcome.retryAfterMs, MESSAGE_LIFETIME_MS) }];
}

/** Logs only the host, because the endpoint is a secret of the browser. */
function logFailure({ id, attempts, endpoint }: ClaimedMessage, outcome: PushOutcome) {
  if (outcome.kind === 'sent' || outcome.kind === 'gone') return;
  const host = URL.parse(endpoint)?.host ?? '';
  const event = outcome.kind === 'failed' ? 'push.postponed' : 'push.given_up';
  log(outcome.kind === 'failed' ? 'info' : 'error', event, { id, attempts, host, cause: outcome.reason });
}
