import { HOUR_MS } from '../../kernel/dates/durations.ts';
import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { NotificationType } from '../inbox/notifications.schema.ts';
import { readUnreadItems } from '../inbox/unread-items.ts';
import { newestNotificationId } from '../mail/unmailed.queries.ts';
import { composePush } from './compose-push.ts';
import {
  DELIVERY_COST,
  deliverMessagesById,
  MESSAGE_LIFETIME_MS,
  SENDS_PER_RUN_MAX,
} from './deliver-push.ts';
import { encryptMessages } from './encrypt-messages.ts';
import { getPushCursor, queueMessagesAndMoveCursor } from './messages.queries.ts';
import { parsePushTypes } from './push-types.ts';
import { listPushRecipients, type PushRecipient } from './subscriptions.queries.ts';
import {
  hasUnpushedNotifications,
  listUnpushedNotifications,
  savePushCursorCopy,
} from './unpushed.queries.ts';
import { importVapidKey } from './vapid.ts';

/** Older notifications, for example after an outage, appear only in the inbox. */
const NOTIFICATION_AGE_MS_MAX = HOUR_MS;
const ROWS_PER_RUN_MAX = 200;
const PEOPLE_PER_RUN_MAX = 20;
/** Statements for reading the cursor, notifications and recipients, queuing the messages, and copying the cursor. */
const COLLECTION_COST = 8 + DELIVERY_COST;
/** The statements that read one person's notifications. */
const PERSON_COST = 2;

/** Queues messages and moves the cursor in one transaction, so that no notification is pushed twice or lost. */
export const collectPush: CellJob = {
  name: 'push.collect',
  cost: COLLECTION_COST + PERSON_COST,
  isDue: hasUnpushedNotifications,
  async run(scope, cell, allowance) {
    const { directory, now, config } = scope;
    if (config.vapidPrivateKey === null) return false;
    const database = scope.cell(cell);
    const [[from], [newest]] = await Promise.all([
      directory.batch([getPushCursor(cell)]),
      database.batch([newestNotificationId]),
    ]);
    const isFirstRun = from < 0;
    const [rows] = isFirstRun
      ? [[]]
      : await database.batch([listUnpushedNotifications(from, ROWS_PER_RUN_MAX)]);
    const recipients = await listRecipients(scope, rows);
    const left = { left: allowance.left - COLLECTION_COST };
    const peopleMax = countAffordableUnits(left, PERSON_COST, PEOPLE_PER_RUN_MAX);
    const { people, upto } = limitPeople(rows, recipients, peopleMax);
    const to = isFirstRun ? newest : (upto ?? from);
    const messages = await Promise.all(
      [...people].map(([userId, browsers]) => buildMessages(scope, { cell, userId, from, to }, browsers)),
    );
    const [queued, , current] = await directory.batch(
      queueMessagesAndMoveCursor({ cell, from, to }, messages.flat(), now + MESSAGE_LIFETIME_MS, now),
    );
    await database.batch([savePushCursorCopy(current)]);
    await deliverMessagesById(
      scope,
      queued.slice(0, SENDS_PER_RUN_MAX).map(({ id }) => id),
    );
    return current < newest;
  },
};

interface UnpushedRow {
  readonly id: number;
  readonly user_id: string;
  readonly type: NotificationType;
}

async function listRecipients({ directory, config, now }: RequestScope, rows: readonly UnpushedRow[]) {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))];
  if (ids.length === 0 || config.vapidPrivateKey === null) return new Map<string, PushRecipient[]>();
  const { publicKey } = await importVapidKey(config.vapidPrivateKey);
  const [browsers] = await directory.batch([listPushRecipients(ids, publicKey, now)]);
  return Map.groupBy(browsers, ({ user_id }) => user_id);
}

/** Returns the people with a notification that they want, and the last notification before the limit of people. */
function limitPeople(
  rows: readonly UnpushedRow[],
  recipients: ReadonlyMap<string, PushRecipient[]>,
  peopleMax: number,
) {
  const people = new Map<string, PushRecipient[]>();
  let upto: number | null = null;
  for (const { id, user_id: userId, type } of rows) {
    const browsers = recipients.get(userId);
    if (browsers && !people.has(userId) && listTypes(browsers).includes(type)) {
      if (people.size === peopleMax) break;
      people.set(userId, browsers);
    }
    upto = id;
  }
  return { people, upto };
}

interface Collected {
  readonly cell: number;
  readonly userId: string;
  readonly from: number;
  readonly to: number;
}

async function buildMessages(
  scope: RequestScope,
  { cell, userId, from, to }: Collected,
  browsers: readonly PushRecipient[],
) {
  const items = await readUnreadItems(scope, cell, userId, {
    kinds: listTypes(browsers),
    ids: [from, to],
    times: [scope.now - NOTIFICATION_AGE_MS_MAX, Number.MAX_SAFE_INTEGER],
  });
  const messages = composePush(cell, items);
  return (await Promise.all(browsers.map((browser) => encryptMessages(browser, messages)))).flat();
}

function listTypes([browser]: readonly PushRecipient[]): readonly NotificationType[] {
  return parsePushTypes(browser?.types ?? null);
}
