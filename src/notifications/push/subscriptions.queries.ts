import { buildInList, readFirstRow, readRow, readRows, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';
import { pushPreferences, pushSubscriptions } from '../../schema/directory/push.ts';

const b = aliasTable(browserSessions, 'b');
const p = aliasLeftJoinedTable(pushPreferences, 'p');
const s = aliasTable(pushSubscriptions, 's');
const u = aliasTable(users, 'u');

interface NewSubscription {
  readonly sessionHash: string;
  readonly userId: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly serverKey: string;
}

/**
 * Replaces the session's subscription, and takes over the endpoint if someone else used it in the same browser before.
 * Inserts nothing unless the session is open and the person has fewer than `max` other subscriptions.
 */
export function insertSubscription(subscription: NewSubscription, max: number, now: number) {
  const { sessionHash, userId, endpoint, p256dh, auth, serverKey } = subscription;
  const isOpen = sql`${b.id_hash} = ${sessionHash} AND ${b.user_id} = ${userId} AND ${b.expires_at} > ${now}`;
  return [
    write(sql`
      DELETE FROM ${pushSubscriptions}
      WHERE (${pushSubscriptions.session_hash} = ${sessionHash} OR ${pushSubscriptions.endpoint} = ${endpoint})
        AND EXISTS (SELECT 1 FROM ${b} WHERE ${isOpen})`),
    write(sql`
      INSERT INTO ${nameInsertColumns(pushSubscriptions, 'session_hash', 'user_id', 'endpoint', 'p256dh', 'auth', 'server_key', 'created_at')}
      SELECT ${b.id_hash}, ${b.user_id}, ${endpoint}, ${p256dh}, ${auth}, ${serverKey}, ${now} FROM ${b}
      WHERE ${isOpen} AND (SELECT count(*) FROM ${s} WHERE ${s.user_id} = ${userId}) < ${max}`),
  ] as const;
}

export function deleteSubscription(sessionHash: string, userId: string) {
  return write(sql`
    DELETE FROM ${pushSubscriptions}
    WHERE ${pushSubscriptions.session_hash} = ${sessionHash} AND ${pushSubscriptions.user_id} = ${userId}`);
}

/** The endpoint must be unchanged, because the person may have just turned on push again. */
export function deleteGoneSubscriptions(gone: readonly { sessionHash: string; endpoint: string }[]) {
  const pairs = JSON.stringify(gone.map(({ sessionHash, endpoint }) => [sessionHash, endpoint]));
  return write(sql`
    DELETE FROM ${pushSubscriptions} WHERE (${pushSubscriptions.session_hash}, ${pushSubscriptions.endpoint}) IN (
      SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`);
}

const subscriptionColumns = selectColumns({
  session_hash: s.session_hash,
  user_id: s.user_id,
  p256dh: s.p256dh,
  auth: s.auth,
});
const recipientColumns = selectColumns({ types: p.types });
export type PushRecipient = Row<typeof subscriptionColumns> & Row<typeof recipientColumns>;

/** Returns one row per browser. Leaves out subscriptions for another server key, which push services would reject. */
export function listPushRecipients(userIds: readonly string[], serverKey: string, now: number) {
  return readRows<PushRecipient>(sql`
    SELECT ${subscriptionColumns}, ${recipientColumns}
    FROM ${s} CROSS JOIN ${b} ON ${b.id_hash} = ${s.session_hash} AND ${b.expires_at} > ${now}
      CROSS JOIN ${u} ON ${u.id} = ${s.user_id} AND ${u.verified_at} IS NOT NULL AND ${u.deleted_at} IS NULL
      LEFT JOIN ${p} ON ${p.user_id} = ${s.user_id}
    WHERE ${s.user_id} IN ${buildInList(userIds)} AND ${s.server_key} = ${serverKey}`);
}

export function findPushState(userId: string, sessionHash: string, serverKey: string) {
  const columns = selectColumns({
    types: withType<string | null>(sql`(
      SELECT ${pushPreferences.types} FROM ${pushPreferences} WHERE ${pushPreferences.user_id} = ${userId})`),
    is_on: withType<0 | 1>(sql`EXISTS (
      SELECT 1 FROM ${s} WHERE ${s.session_hash} = ${sessionHash} AND ${s.user_id} = ${userId}
        AND ${s.server_key} = ${serverKey})`),
    browsers: withType<number>(sql`(SELECT count(*) FROM ${s} WHERE ${s.user_id} = ${userId})`),
  });
  return readRow(sql`SELECT ${columns}`);
}

export function findSubscription(sessionHash: string, userId: string, serverKey: string) {
  return readFirstRow(sql`
    SELECT ${subscriptionColumns} FROM ${s}
    WHERE ${s.session_hash} = ${sessionHash} AND ${s.user_id} = ${userId} AND ${s.server_key} = ${serverKey}`);
}

export function savePushTypes(userId: string, types: string) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(pushPreferences, 'user_id', 'types')} VALUES (${userId}, ${types})
    ON CONFLICT (user_id) DO UPDATE SET ${pushPreferences.types} = ${types}`);
}
