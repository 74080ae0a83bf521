import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { readUnreadItems } from '../inbox/unread-items.ts';
import { composeMail } from './compose-mail.ts';
import {
  getMailCursor,
  listMailRecipients,
  type MailRecipient,
  moveMailCursor,
  queueImmediateMail,
} from './directory.queries.ts';
import { listTypesWithMode, parseModes } from './mail-modes.ts';
import {
  hasUnprocessedNotifications,
  listUnprocessedNotifications,
  newestNotificationId,
  saveCursorCopy,
} from './unmailed.queries.ts';

/**
 * An email is queued this long after its first notification, so that it also contains those that arrive in the
 * meantime.
 */
export const COLLECTION_MS = 5 * 60_000;
/** Older notifications appear only in the inbox. */
const NOTIFICATION_AGE_MS_MAX = 3 * 24 * 60 * 60_000;
const ROWS_PER_RUN_MAX = 200;
const PEOPLE_PER_RUN_MAX = 20;
/**
 * The number of statements for finding people, moving the email cursor and copying the cursor. `MAIL_COST` counts the
 * statements for one person's email.
 */
const COLLECTION_COST = 6;
const MAIL_COST = 6;

/** Queues a person's email and moves their own cursor in one transaction, so that no email is repeated or lost. */
export const collectEmails: CellJob = {
  name: 'emails.collect',
  cost: COLLECTION_COST + MAIL_COST,
  isDue: ({ now }) => hasUnprocessedNotifications(now - COLLECTION_MS),
  async run(scope, cell, allowance) {
    const peopleMax = countAffordableUnits(
      { left: allowance.left - COLLECTION_COST },
      MAIL_COST,
      PEOPLE_PER_RUN_MAX,
    );
    const { directory, now } = scope;
    const database = scope.cell(cell);
    const [from] = await directory.batch([getMailCursor(cell)]);
    const [undecided] = await database.batch([
      listUnprocessedNotifications(from, now - COLLECTION_MS, ROWS_PER_RUN_MAX),
    ]);
    const { ids, upto } = limitPeople(undecided, peopleMax);
    if (upto === null) {
      await database.batch([saveCursorCopy(from)]);
      return false;
    }
    const [readers] = await directory.batch([listMailRecipients(cell, ids)]);
    for (const reader of readers) if (!(await queuePersonEmail(scope, cell, from, reader))) return true;
    const [, moved] = await directory.batch([moveMailCursor(cell, from, upto), getMailCursor(cell)]);
    await database.batch([saveCursorCopy(moved)]);
    return undecided.length === ROWS_PER_RUN_MAX || upto < (undecided.at(-1)?.id ?? 0);
  },
};

function limitPeople(undecided: readonly { id: number; user_id: string }[], peopleMax: number) {
  const ids = new Set<string>();
  let upto: number | null = null;
  for (const { id, user_id: userId } of undecided) {
    // The row of a deleted notification has no user.
    if (userId !== '') ids.add(userId);
    if (ids.size > peopleMax) {
      ids.delete(userId);
      break;
    }
    upto = id;
  }
  return { ids: [...ids], upto };
}

/** Returns false if another run has already queued the email. */
async function queuePersonEmail(
  scope: RequestScope,
  cell: number,
  decided: number,
  reader: MailRecipient,
): Promise<boolean> {
  const kinds = listTypesWithMode(parseModes(reader.modes), 'at_once');
  if (kinds.length === 0) return true;
  const [to] = await scope.cell(cell).batch([newestNotificationId]);
  const items = await readUnreadItems(scope, cell, reader.id, {
    kinds,
    ids: [Math.max(reader.upto, decided), to],
    times: [scope.now - NOTIFICATION_AGE_MS_MAX, Number.MAX_SAFE_INTEGER],
  });
  if (items.length === 0) return true;
  const mailed = { userId: reader.id, cell, from: reader.upto, to };
  const mail = composeMail(scope, reader, items, 'at_once');
  const [, , mailedUpTo] = await scope.directory.batch(queueImmediateMail(mailed, mail, scope.now));
  return mailedUpTo === to;
}
