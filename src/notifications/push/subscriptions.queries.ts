import { buildInList, readRow, readRows, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
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

/** Keeps a subscription that has changed since it was read, because the person may have turned on push again. */
export function deleteGoneSubscription({ session_hash, endpoint }: PushBrowser) {
  return write(sql`
    DELETE FROM ${pushSubscriptions}
    WHERE ${pushSubscriptions.session_hash} = ${session_hash} AND ${pushSubscriptions.endpoint} = ${endpoint}`);
}

const subscriptionColumns = selectColumns({
  session_hash: s.session_hash,
  user_id: s.user_id,
  endpoint: s.endpoint,
  p256dh: s.p256dh,
  auth: s.auth,
});
const preferenceColumns = selectColumns({ types: p.types });
export type PushBrowser = Row<typeof subscriptionColumns> & Row<typeof preferenceColumns>;

export function listPushBrowsersOfPeople(userIds: readonly string[], serverKey: string, now: number) {
  return selectPushBrowsers(sql`${s.user_id} IN ${buildInList(userIds)}`, serverKey, now);
}

export function listPushBrowsers(sessionHashes: readonly string[], serverKey: string, now: number) {
  return selectPushBrowsers(sql`${s.session_hash} IN ${buildInList(sessionHashes)}`, serverKey, now);
}

/**
 * Omits browsers whose session has ended, and subscriptions for another server key, which push services would reject.
 */
function selectPushBrowsers(condition: SQL, serverKey: string, now: number) {
  return readRows<PushBrowser>(sql`
    SELECT ${subscriptionColumns}, ${preferenceColumns}
    FROM ${s} CROSS JOIN ${b} ON ${b.id_hash} = ${s.session_hash} AND ${b.expires_at} > ${now}
      CROSS JOIN ${u} ON ${u.id} = ${s.user_id} AND ${u.verified_at} IS NOT NULL AND ${u.deleted_at} IS NULL
      LEFT JOIN ${p} ON ${p.user_id} = ${s.user_id}
    WHERE ${condition} AND ${s.server_key} = ${serverKey}`);
}

export function findPushState(userId: string, sessionHash: string, serverKey: string) {
  const columns = selectColumns({
    types: withType<string | null>(sql`(
      SELECT ${pushPreferences.types} FROM ${pushPreferences} WHERE ${pushPreferences.user_id} = ${userId})`),
    endpoint: withType<string | null>(sql`(
      SELECT ${s.endpoint} FROM ${s} WHERE ${s.session_hash} = ${sessionHash} AND ${s.user_id} = ${userId}
        AND ${s.server_key} = ${serverKey})`),
    browsers: withType<number>(sql`(SELECT count(*) FROM ${s} WHERE ${s.user_id} = ${userId})`),
  });
  return readRow(sql`SELECT ${columns}`);
}

export function savePushTypes(userId: string, types: string) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(pushPreferences, 'user_id', 'types')} VALUES (${userId}, ${types})
    ON CONFLICT (user_id) DO UPDATE SET ${pushPreferences.types} = ${types}`);
}
