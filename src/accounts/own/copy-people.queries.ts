import { and, eq } from 'drizzle-orm';
import { recordEvents } from '../../events/log/record.queries.ts';
import { isBot } from '../../kernel/access/bot-ids.queries.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { forgottenMembers } from '../../schema/cell/departures.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { webhooks } from '../../schema/cell/webhooks.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';
import { selectAccountEvents } from './account-events.queries.ts';

const f = aliasTable(forgottenMembers, 'f');
const h = aliasTable(activeMembers, 'h');
const m = aliasTable(activeMembers, 'm');
const m2 = aliasTable(members, 'm');
const o = aliasTable(activeMembers, 'o');
const u = aliasTable(users, 'u');
const w = aliasTable(workspaces, 'w');

export type ChangedPerson = Row<typeof changedPersonColumns>;

const changedPersonColumns = selectColumns({
  id: u.id,
  name: u.name,
  email: u.email,
  image: u.image,
  deleted_at: u.deleted_at,
  access_ends_at: u.access_ends_at,
  version: u.version,
  acts: selectAccountEvents(u.id),
});

export function listChangedPeople(limit: number): Statement<ChangedPerson[]> {
  return readRows(sql`
    SELECT ${changedPersonColumns} FROM ${u} INDEXED BY users_unsettled WHERE ${u.is_settled} = 0 ORDER BY ${u.id}
      LIMIT ${limit}`);
}

export function findChangedPerson(id: string): Statement<ChangedPerson[]> {
  return readRows(
    sql`SELECT ${changedPersonColumns} FROM ${u} WHERE ${u.id} = ${id} AND ${u.is_settled} = 0`,
  );
}

/** If the person has changed since, they are copied again, because this copy may have overwritten a newer one. */
export function markPersonCopied({ id, version }: ChangedPerson): Statement<void> {
  const isCurrent = sql`${users.version} = ${version}`;
  return write(sql`
    UPDATE ${users} SET ${users.is_settled} = iif(${isCurrent}, 1, 0),
      ${users.access_ends_at} = iif(${isCurrent}, NULL, ${users.access_ends_at})
    WHERE ${users.id} = ${id}`);
}

/** Fails if the membership has already been ended, for example by another run. */
export const assertActiveMembership = prepared.assertUnchanged(
  ({ ws, no }: Argument<Pick<ActiveMembership, 'ws' | 'no'>>) =>
    hasRow(activeMembers, and(eq(activeMembers.ws, ws), eq(activeMembers.no, no))),
);

/**
 * Must come before `copyPerson`, which overwrites the old values. The event names only the changed fields, because the
 * event log must not contain email addresses.
 */
export function buildPersonUpdatedEvent({ id, name, email, image }: ChangedPerson, ws: number): SQL {
  const selectEmptyObjectIf = (changes: SQL) => sql`iif(${changes}, json_object(), NULL)`;
  const [renamed, moved, pictured] = [
    sql`${m.name} <> ${name}`,
    sql`${m.email} <> ${email}`,
    sql`${m.image} IS NOT ${image}`,
  ];
  return sql`
    SELECT 'member.updated' AS type, NULL AS project, NULL AS task, ${m.user_id} AS entity, NULL AS reader,
      0 AS position, json_patch('{}', json_object(
        'name', ${selectEmptyObjectIf(renamed)}, 'email', ${selectEmptyObjectIf(moved)}, 'image', ${selectEmptyObjectIf(pictured)})) AS changes, 0 AS entries
    FROM ${m} WHERE ${m.ws} = ${ws} AND ${m.user_id} = ${id} AND (${renamed} OR ${moved} OR ${pictured})`;
}

export function copyPerson({ id, name, email, image }: ChangedPerson, ws: number): Statement<void> {
  const emailKey = email.toLowerCase();
  return write(sql`
    UPDATE ${members} SET ${members.name} = ${name}, ${members.email} = ${email},
      ${members.email_key} = ${emailKey}, ${members.image} = ${image}
    WHERE ${members.ws} = ${ws} AND ${members.user_id} = ${id} AND ${members.ended_at} IS NULL
    AND (${members.name} <> ${name} OR ${members.email} <> ${email} OR ${members.image} IS NOT ${image})`);
}

/**
 * Revokes API keys and app tokens, deletes calendar links, and stops active webhooks that were created in a session.
 * Leaves out anything created after `at`.
 */
export function endPersonAccess(userId: string, at: number): Statement<void>[] {
  const own = sql`(SELECT ${m2.no} FROM ${m2} WHERE ${m2.user_id} = ${userId})`;
  return [
    write(sql`
      UPDATE ${credentials} SET ${credentials.revoked_at} = ${at}
      WHERE ${credentials.member} IN ${own} AND ${credentials.created_at} <= ${at}
        AND ${credentials.revoked_at} IS NULL`),
    write(sql`
      UPDATE ${webhooks} SET ${webhooks.status} = 'stopped', ${webhooks.stop_reason} = 'access_ended',
        ${webhooks.next_attempt_at} = NULL
      WHERE ${webhooks.member} IN ${own} AND ${webhooks.created_at} <= ${at} AND ${webhooks.status} = 'active'
        AND ${webhooks.credential} IS NULL`),
    write(sql`
      DELETE FROM ${calendarFeeds} WHERE ${calendarFeeds.member} IN ${own} AND ${calendarFeeds.created_at} <= ${at}`),
  ];
}

/** Session tokens issued before `at` are rejected from now on. */
export function endSessionTokens(userId: string, at: number): Statement<void> {
  return write(sql`
    UPDATE ${members} SET ${members.sessions_from} = ${at}
    WHERE ${members.user_id} = ${userId} AND ${members.sessions_from} < ${at}`);
}

export function anonymizePerson(person: ChangedPerson): Statement<void>[] {
  const { id, name, email } = person;
  return [
    write(sql`
      UPDATE ${members} SET ${members.name} = ${name}, ${members.email} = ${email},
        ${members.email_key} = ${email.toLowerCase()}, ${members.image} = NULL
      WHERE ${members.user_id} = ${id} AND ${members.email} <> ${email}`),
    write(sql`
      INSERT INTO ${nameInsertColumns(forgottenMembers, 'member', 'ws')} SELECT ${m2.no}, ${m2.ws} FROM ${m2}
        WHERE ${m2.user_id} = ${id}
      ON CONFLICT DO NOTHING`),
    write(sql`
      DELETE FROM ${savedFilters} WHERE ${savedFilters.is_shared} = 0 AND ${savedFilters.member} IN (
        SELECT ${m2.no} FROM ${m2} WHERE ${m2.user_id} = ${id})`),
  ];
}

const activeMembershipColumns = selectColumns({
  no: m.no,
  ws: m.ws,
  workspace_id: w.id,
  timezone: w.timezone,
  owner: withType<number | null>(sql`(
      SELECT ${o.no} FROM ${o} WHERE ${o.ws} = ${m.ws} AND ${o.role} = 'owner' AND ${o.no} <> ${m.no}
      ORDER BY ${o.no} LIMIT 1)`),
});
export type ActiveMembership = Row<typeof activeMembershipColumns>;

export function listActiveMemberships(userId: string): Statement<ActiveMembership[]> {
  return readRows(sql`
    SELECT ${activeMembershipColumns}
    FROM ${m} CROSS JOIN ${w} ON ${w.no} = ${m.ws} WHERE ${m.user_id} = ${userId}`);
}

/** Lists the active memberships that have an old name, email address or picture. */
export function listOutdatedMemberships({
  id,
  name,
  email,
  image,
}: ChangedPerson): Statement<ActiveMembership[]> {
  return readRows(sql`
    SELECT ${activeMembershipColumns}
    FROM ${m} CROSS JOIN ${w} ON ${w.no} = ${m.ws} WHERE ${m.user_id} = ${id}
    AND (${m.name} <> ${name} OR ${m.email} <> ${email} OR ${m.image} IS NOT ${image})`);
}

const nameColumn = selectColumns({ name: w.name });

export function listSolelyOwnedWorkspaces(userId: string): Statement<{ name: string }[]> {
  return readRows(sql`
    SELECT ${nameColumn} FROM ${m} CROSS JOIN ${w} ON ${w.no} = ${m.ws}
    WHERE ${m.user_id} = ${userId} AND ${m.role} = 'owner' AND NOT EXISTS (
      SELECT 1 FROM ${o} WHERE ${o.ws} = ${m.ws} AND ${o.role} = 'owner' AND ${o.no} <> ${m.no})`);
}

/** Does nothing if the workspace has another owner. Ends the memberships of bots if no other person remains. */
export function promoteNewOwner(ctx: WriteContext, ws: number, leaver: number): Statement<void>[] {
  const heir = sql`
    SELECT ${h.no} FROM ${h} WHERE ${h.ws} = ${ws} AND ${h.no} <> ${leaver} AND NOT ${isBot(h.user_id)} AND NOT EXISTS (
      SELECT 1 FROM ${o} WHERE ${o.ws} = ${ws} AND ${o.role} = 'owner' AND ${o.no} <> ${leaver})
    ORDER BY instr('admin lead member client', ${h.role}), ${h.no} LIMIT 1`;
  return [
    recordEvents(
      ctx,
      sql`SELECT 'member.updated' AS type, NULL AS project, NULL AS task, ${m.user_id} AS entity, NULL AS reader,
        0 AS position, json_object('role', json_object('from', ${m.role}, 'to', 'owner')) AS changes, 0 AS entries
      FROM ${m} WHERE ${m.no} = (${heir})`,
    ),
    write(sql`
      UPDATE ${members} SET ${members.role} = iif(${isBot(members.user_id)}, ${members.role}, 'owner'),
        ${members.ended_at} = iif(${isBot(members.user_id)}, ${ctx.now}, ${members.ended_at})
      WHERE ${members.no} = (${heir})
        OR (${members.ws} = ${ws} AND ${members.ended_at} IS NULL AND ${isBot(members.user_id)} AND NOT EXISTS (
          SELECT 1 FROM ${h} WHERE ${h.ws} = ${ws} AND ${h.no} <> ${leaver} AND NOT ${isBot(h.user_id)}))`),
  ];
}

const forgottenMemberColumns = selectColumns({
  member: f.member,
  ws: f.ws,
});
export type ForgottenMember = Row<typeof forgottenMemberColumns>;

export function hasForgottenMembers(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${f})`;
}

export function listForgottenMembers(limit: number): Statement<ForgottenMember[]> {
  return readRows(sql`
    SELECT ${forgottenMemberColumns} FROM ${f} ORDER BY ${f.member} LIMIT ${limit}`);
}
