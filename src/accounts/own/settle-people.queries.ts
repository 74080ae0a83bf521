import { recordEvents } from '../../events/log/record.queries.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { webhooks } from '../../schema/cell/webhooks.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';
import { forgottenMembers } from '../../schema/directory/own-account.ts';

const f = names(forgottenMembers, 'f');
const h = names(activeMembers, 'h');
const m = names(activeMembers, 'm');
const m2 = names(members, 'm');
const o = names(activeMembers, 'o');
const u = names(users, 'u');
const w = names(workspaces, 'w');

/** A person's data in the directory that hasn't been copied to the cells yet. */
export type UnsettledPerson = Row<typeof unsettledColumns>;

const unsettledColumns = columns({
  id: u.id,
  name: u.name,
  email: u.email,
  image: u.image,
  deleted_at: u.deleted_at,
  access_ends_at: u.access_ends_at,
  version: u.version,
});

export function listUnsettledPeople(limit: number): Statement<UnsettledPerson[]> {
  return rows(sql`
    SELECT ${unsettledColumns} FROM ${u} INDEXED BY users_unsettled WHERE ${u.is_settled} = 0 ORDER BY ${u.id}
      LIMIT ${limit}`);
}

export function findUnsettledPerson(id: string): Statement<UnsettledPerson[]> {
  return rows(sql`SELECT ${unsettledColumns} FROM ${u} WHERE ${u.id} = ${id} AND ${u.is_settled} = 0`);
}

export function markPersonSettled({ id, version }: UnsettledPerson): Statement<void> {
  return write(
    sql`UPDATE ${users} SET ${users.is_settled} = 1, ${users.access_ends_at} = NULL WHERE ${users.id} = ${id} AND ${users.version} = ${version}`,
  );
}

/** Must run before `copyPerson`. Omits the new values, because the event log must not contain email addresses. */
export function buildPersonChange({ id, name, email, image }: UnsettledPerson, ws: number): SQL {
  const selectMark = (changes: SQL) => sql`iif(${changes}, json_object(), NULL)`;
  const [renamed, moved, pictured] = [
    sql`${m.name} <> ${name}`,
    sql`${m.email} <> ${email}`,
    sql`${m.image} IS NOT ${image}`,
  ];
  return sql`
    SELECT 'member.updated' AS type, NULL AS project, NULL AS task, ${m.user_id} AS entity, NULL AS reader,
      0 AS position, json_patch('{}', json_object(
        'name', ${selectMark(renamed)}, 'email', ${selectMark(moved)}, 'image', ${selectMark(pictured)})) AS changes, 0 AS entries
    FROM ${m} WHERE ${m.ws} = ${ws} AND ${m.user_id} = ${id} AND (${renamed} OR ${moved} OR ${pictured})`;
}

export function copyPerson({ id, name, email, image }: UnsettledPerson, ws: number): Statement<void> {
  const emailKey = email.toLowerCase();
  return write(sql`
    UPDATE ${members} SET ${members.name} = ${name}, ${members.email} = ${email},
      ${members.email_key} = ${emailKey}, ${members.image} = ${image}
    WHERE ${members.ws} = ${ws} AND ${members.user_id} = ${id} AND ${members.ended_at} IS NULL
    AND (${members.name} <> ${name} OR ${members.email} <> ${email} OR ${members.image} IS NOT ${image})`);
}

/** Ends API keys, apps, calendar links and session-created webhooks that the person had at the time `at`. */
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

/** Removes personal data, even in workspaces that the person left, and deletes their private filters. */
export function forgetPerson(person: UnsettledPerson): Statement<void>[] {
  const { id, name, email } = person;
  return [
    write(sql`
      UPDATE ${members} SET ${members.name} = ${name}, ${members.email} = ${email},
        ${members.email_key} = ${email.toLowerCase()}, ${members.image} = NULL
      WHERE ${members.user_id} = ${id} AND ${members.email} <> ${email}`),
    write(sql`
      INSERT INTO ${into(forgottenMembers, 'member', 'ws')} SELECT ${m2.no}, ${m2.ws} FROM ${m2}
        WHERE ${m2.user_id} = ${id}
      ON CONFLICT DO NOTHING`),
    write(sql`
      DELETE FROM ${savedFilters} WHERE ${savedFilters.is_shared} = 0 AND ${savedFilters.member} IN (
        SELECT ${m2.no} FROM ${m2} WHERE ${m2.user_id} = ${id})`),
  ];
}

const openMembershipColumns = columns({
  no: m.no,
  ws: m.ws,
  workspace_id: w.id,
  timezone: w.timezone,
  owner: typed<number | null>(sql`(
      SELECT ${o.no} FROM ${o} WHERE ${o.ws} = ${m.ws} AND ${o.role} = 'owner' AND ${o.no} <> ${m.no}
      ORDER BY ${o.no} LIMIT 1)`),
});
export type OpenMembership = Row<typeof openMembershipColumns>;

export function listOpenMemberships(userId: string): Statement<OpenMembership[]> {
  return rows(sql`
    SELECT ${openMembershipColumns}
    FROM ${m} CROSS JOIN ${w} ON ${w.no} = ${m.ws} WHERE ${m.user_id} = ${userId}`);
}

const nameColumn = columns({ name: w.name });

export function listSolelyOwnedWorkspaces(userId: string): Statement<{ name: string }[]> {
  return rows(sql`
    SELECT ${nameColumn} FROM ${m} CROSS JOIN ${w} ON ${w.no} = ${m.ws}
    WHERE ${m.user_id} = ${userId} AND ${m.role} = 'owner' AND NOT EXISTS (
      SELECT 1 FROM ${o} WHERE ${o.ws} = ${m.ws} AND ${o.role} = 'owner' AND ${o.no} <> ${m.no})`);
}

/** Does nothing if the workspace has another owner. */
export function promoteNewOwner(ctx: WriteContext, ws: number, leaver: number): Statement<void>[] {
  const heir = sql`
    SELECT ${h.no} FROM ${h} WHERE ${h.ws} = ${ws} AND ${h.no} <> ${leaver} AND NOT EXISTS (
      SELECT 1 FROM ${o} WHERE ${o.ws} = ${ws} AND ${o.role} = 'owner' AND ${o.no} <> ${leaver})
    ORDER BY instr('admin lead member client', ${h.role}), ${h.no} LIMIT 1`;
  return [
    recordEvents(
      ctx,
      sql`SELECT 'member.updated' AS type, NULL AS project, NULL AS task, ${m.user_id} AS entity, NULL AS reader,
        0 AS position, json_object('role', json_object('from', ${m.role}, 'to', 'owner')) AS changes, 0 AS entries
      FROM ${m} WHERE ${m.no} = (${heir})`,
    ),
    write(sql`UPDATE ${members} SET ${members.role} = 'owner' WHERE ${members.no} = (${heir})`),
  ];
}

const forgottenColumns = columns({
  member: f.member,
  ws: f.ws,
});
export type ForgottenMember = Row<typeof forgottenColumns>;

export function hasForgottenMembers(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${f})`;
}

export function listForgottenMembers(limit: number): Statement<ForgottenMember[]> {
  return rows(sql`
    SELECT ${forgottenColumns} FROM ${f} ORDER BY ${f.member} LIMIT ${limit}`);
}
