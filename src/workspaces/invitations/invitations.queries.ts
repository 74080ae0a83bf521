import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequest } from '../../kernel/errors/errors.ts';
import {
  assertUnchanged,
  firstRow,
  inList,
  number,
  queryBuilder,
  refuseUnless,
  rows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import type { InvitedRole } from './invitations.schema.ts';

const i = names(invitations, 'i');
const m = names(activeMembers, 'm');
const m2 = names(members, 'm');
const p = names(projects, 'p');
const w = names(workspaces, 'w');

export interface InvitationDraft {
  tokenHash: string;
  email: string;
  emailKey: string;
  role: InvitedRole;
  projects: readonly number[];
  expiresAt: number;
}

/** Replaces the open invitation of the same address, if there is one. */
export function insertInvitation(caller: Caller, draft: InvitationDraft, now: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${invitations} SET ${invitations.ended_at} = ${now}
      WHERE ${invitations.ws} = ${caller.workspace} AND ${invitations.email_key} = ${draft.emailKey}
        AND ${invitations.ended_at} IS NULL`),
    write(
      queryBuilder.insert(invitations).values({
        ws: caller.workspace,
        token_hash: draft.tokenHash,
        email: draft.email,
        email_key: draft.emailKey,
        role: draft.role,
        projects: JSON.stringify(draft.projects),
        invited_by: caller.member,
        created_at: now,
        expires_at: draft.expiresAt,
      }),
    ),
  ];
}

/** The invitation that the same batch inserted. */
export const newestInvitation = sql`(SELECT max(${invitations.id}) FROM ${invitations})`;

/** Undoes the batch where more are open. To stand behind the insert, which ends the one that the address had. */
export function requireOpenAtMost({ workspace }: Caller, max: number): Statement<void> {
  return refuseUnless(
    sql`(SELECT count(*) FROM ${i} WHERE ${i.ws} = ${workspace} AND ${i.ended_at} IS NULL) <= ${max}`,
    invalidRequest(`${max} invitations are open. Withdraw some before you send more.`),
  );
}

export function countMembersWith(caller: Caller, emailKey: string): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.email_key} = ${emailKey}`);
}

/** Undoes the batch if somebody with this address is a member. */
export function assertNoMember(caller: Caller, emailKey: string): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (
    SELECT 1 FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.email_key} = ${emailKey})`);
}

function among(caller: Caller, ids: readonly number[], reach: 'all' | 'own'): SQL {
  const led = reach === 'all' ? sql`` : sql`AND ${p.owner} = ${caller.member}`;
  return sql`${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN ${inList(ids)} ${led}`;
}

/** How many of the projects there are; with `own`, how many of them the caller leads. */
export function countProjects(
  caller: Caller,
  ids: readonly number[],
  reach: 'all' | 'own',
): Statement<number> {
  return number(sql`SELECT count(*) AS n FROM ${among(caller, ids, reach)}`);
}

export function assertProjects(
  caller: Caller,
  ids: readonly number[],
  reach: 'all' | 'own',
): Statement<void> {
  return assertUnchanged(sql`(SELECT count(*) FROM ${among(caller, ids, reach)}) = ${ids.length}`);
}

const invitationColumns = columns({
  id: i.id,
  email: i.email,
  role: i.role,
  invited_by: m2.name,
  created_at: i.created_at,
  expires_at: i.expires_at,
  /** JSON array of `{id, name}`. */
  projects: typed<string>(sql`(
        SELECT json_group_array(json_object('id', ${p.id}, 'name', ${p.name})) FROM json_each(${i.projects}) j
        CROSS JOIN ${p} ON ${p.id} = j.value AND ${p.ws} = ${i.ws})`),
});
export type InvitationRow = Row<typeof invitationColumns>;

/** Condition: the invitation is open, and the caller may see it. */
function visible(caller: Caller, reach: 'all' | 'own'): SQL {
  const own = reach === 'all' ? sql`` : sql`AND ${i.invited_by} = ${caller.member}`;
  return sql`${i.ws} = ${caller.workspace} AND ${i.ended_at} IS NULL ${own}`;
}

export function listOpen(caller: Caller, reach: 'all' | 'own'): Statement<InvitationRow[]> {
  return rows(sql`
    SELECT ${invitationColumns}
    FROM ${i} CROSS JOIN ${m2} ON ${m2.no} = ${i.invited_by}
    WHERE ${visible(caller, reach)} ORDER BY ${i.id} DESC`);
}

const openInvitationColumns = columns({
  id: i.id,
  email: i.email,
  role: i.role,
  /** JSON array of the ids of those of its projects that exist. */
  projects: typed<string>(sql`(
        SELECT json_group_array(${p.id}) FROM json_each(${i.projects}) j
        CROSS JOIN ${p} ON ${p.id} = j.value AND ${p.ws} = ${i.ws})`),
});
/** An open invitation, expired or not. */
export type OpenInvitation = Row<typeof openInvitationColumns>;

export function findOpen(caller: Caller, id: number, reach: 'all' | 'own'): Statement<OpenInvitation | null> {
  return firstRow(sql`
    SELECT ${openInvitationColumns} FROM ${i}
    WHERE ${i.id} = ${id} AND ${visible(caller, reach)}`);
}

/** Undoes the batch unless the invitation is open. */
export function assertOpen(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${i} WHERE ${i.id} = ${id} AND ${i.ws} = ${caller.workspace} AND ${i.ended_at} IS NULL)`);
}

/** The old link ends, and whoever sends the new one is the sender from then on. */
export function renewInvitation(
  caller: Caller,
  id: number,
  tokenHash: string,
  expiresAt: number,
): Statement<void> {
  return write(sql`
    UPDATE ${invitations} SET ${invitations.token_hash} = ${tokenHash},
      ${invitations.expires_at} = ${expiresAt}, ${invitations.sent_at} = NULL,
      ${invitations.invited_by} = ${caller.member}
    WHERE ${invitations.id} = ${id} AND ${invitations.ws} = ${caller.workspace}
      AND ${invitations.ended_at} IS NULL`);
}

export function endInvitation(caller: Caller, id: number, now: number): Statement<void> {
  return write(sql`
    UPDATE ${invitations} SET ${invitations.ended_at} = ${now} WHERE ${invitations.id} = ${id}
      AND ${invitations.ws} = ${caller.workspace} AND ${invitations.ended_at} IS NULL`);
}

const unsentInvitationColumns = columns({
  id: i.id,
  email: i.email,
  workspace_name: w.name,
  invited_by: m2.name,
  inviter_id: m2.user_id,
});
export type UnsentInvitation = Row<typeof unsentInvitationColumns>;

/** Invitations whose mail a crash prevented. */
export function listUnsent(createdBefore: number, limit: number): Statement<UnsentInvitation[]> {
  return rows(sql`
    SELECT ${unsentInvitationColumns}
    FROM ${i} INDEXED BY invitations_unsent CROSS JOIN ${w} ON ${w.no} = ${i.ws}
    CROSS JOIN ${m2} ON ${m2.no} = ${i.invited_by}
    WHERE ${i.sent_at} IS NULL AND ${i.ended_at} IS NULL AND ${i.created_at} <= ${createdBefore}
    ORDER BY ${i.created_at} LIMIT ${limit}`);
}

/** A link for a mail that was never queued. */
export function replaceUnsentToken(id: number, tokenHash: string): Statement<void> {
  return write(sql`
    UPDATE ${invitations} SET ${invitations.token_hash} = ${tokenHash} WHERE ${invitations.id} = ${id}
      AND ${invitations.sent_at} IS NULL AND ${invitations.ended_at} IS NULL`);
}

export function markSent(tokenHash: string, now: number): Statement<void> {
  return write(sql`
    UPDATE ${invitations} SET ${invitations.sent_at} = ${now} WHERE ${invitations.token_hash} = ${tokenHash}
      AND ${invitations.sent_at} IS NULL`);
}

const idColumn = columns({ id: invitations.id });

/** Forgets a bounded number of old invitations; answers them. */
export function deleteOld(createdBefore: number, limit: number): Statement<{ id: number }[]> {
  return rows(sql`
    DELETE FROM ${invitations} WHERE ${invitations.id} IN (
      SELECT ${i.id} FROM ${i} INDEXED BY invitations_by_age WHERE ${i.created_at} < ${createdBefore}
      ORDER BY ${i.created_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}
