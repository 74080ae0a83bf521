import { and, eq, isNull } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readNumber,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import type { InvitedRole } from './invitations.schema.ts';

const a = aliasTable(activeMembers, 'a');
const i = aliasTable(invitations, 'i');
const m2 = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const w = aliasTable(workspaces, 'w');

export interface InvitationDraft {
  tokenHash: string;
  email: string;
  emailKey: string;
  expiresAt: number;
}

const isPendingInvitation = (caller: Argument<Caller>) =>
  and(eq(invitations.ws, caller.workspace), isNull(invitations.ended_at));

export function insertInvitations(
  caller: Caller,
  drafts: readonly InvitationDraft[],
  { role, projects, now }: { role: InvitedRole; projects: readonly number[]; now: number },
): Statement<void>[] {
  const rows = JSON.stringify(drafts);
  return [
    write(sql`
      UPDATE ${invitations} SET ${invitations.ended_at} = ${now}
      WHERE ${invitations.ws} = ${caller.workspace} AND ${invitations.ended_at} IS NULL
        AND ${invitations.email_key} IN (SELECT d.value ->> 'emailKey' FROM json_each(${rows}) d)`),
    write(sql`
      INSERT INTO ${nameInsertColumns(invitations, 'ws', 'token_hash', 'email', 'email_key', 'role', 'projects', 'invited_by', 'created_at', 'expires_at')}
      SELECT ${caller.workspace}, d.value ->> 'tokenHash', d.value ->> 'email', d.value ->> 'emailKey', ${role},
        ${JSON.stringify(projects)}, ${caller.member}, ${now}, d.value ->> 'expiresAt'
      FROM json_each(${rows}) d`),
  ];
}

export const newestInvitationId = sql`(SELECT max(${invitations.id}) FROM ${invitations})`;

/** Must come after `insertInvitations`, which ends earlier invitations to the same addresses. */
export function assertPendingInvitationLimit({ workspace }: Caller, max: number): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${i} WHERE ${i.ws} = ${workspace} AND ${i.ended_at} IS NULL) <= ${max}`,
    invalidRequestError(
      `A workspace can have up to ${max} pending invitations. Withdraw some, or invite fewer people at once.`,
    ),
  );
}

const selectMembersByEmail = (caller: Caller, emailKeys: readonly string[]) => sql`
  ${a} WHERE ${a.ws} = ${caller.workspace} AND ${a.email_key} IN ${buildInList(emailKeys)}`;

const emailColumn = selectColumns({ email: a.email });

export function listMembersByEmail(
  caller: Caller,
  emailKeys: readonly string[],
): Statement<Row<typeof emailColumn>[]> {
  return readRows(
    sql`SELECT ${emailColumn} FROM ${selectMembersByEmail(caller, emailKeys)} ORDER BY ${a.no}`,
  );
}

export function assertNoMembersWithEmail(caller: Caller, emailKeys: readonly string[]): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (SELECT 1 FROM ${selectMembersByEmail(caller, emailKeys)})`);
}

function buildGrantableProjectsFromClause(caller: Caller, ids: readonly number[], reach: 'all' | 'own'): SQL {
  const led = reach === 'all' ? sql`` : sql`AND ${p.owner} = ${caller.member}`;
  return sql`${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN ${buildInList(ids)} ${led}`;
}

export function countGrantableProjects(
  caller: Caller,
  ids: readonly number[],
  reach: 'all' | 'own',
): Statement<number> {
  return readNumber(sql`SELECT count(*) AS n FROM ${buildGrantableProjectsFromClause(caller, ids, reach)}`);
}

export function assertGrantableProjects(
  caller: Caller,
  ids: readonly number[],
  reach: 'all' | 'own',
): Statement<void> {
  return assertUnchanged(
    sql`(SELECT count(*) FROM ${buildGrantableProjectsFromClause(caller, ids, reach)}) = ${ids.length}`,
  );
}

const invitationColumns = selectColumns({
  id: i.id,
  email: i.email,
  role: i.role,
  invited_by: m2.name,
  created_at: i.created_at,
  expires_at: i.expires_at,
  projects: withType<string>(sql`(
        SELECT json_group_array(json_object('id', ${p.id}, 'name', ${p.name})) FROM json_each(${i.projects}) j
        CROSS JOIN ${p} ON ${p.id} = j.value AND ${p.ws} = ${i.ws})`),
});
export type InvitationRow = Row<typeof invitationColumns>;

function isVisibleInvitation(caller: Caller, reach: 'all' | 'own'): SQL {
  const own = reach === 'all' ? sql`` : sql`AND ${i.invited_by} = ${caller.member}`;
  return sql`${i.ws} = ${caller.workspace} AND ${i.ended_at} IS NULL ${own}`;
}

export function listPendingInvitations(caller: Caller, reach: 'all' | 'own'): Statement<InvitationRow[]> {
  return readRows(sql`
    SELECT ${invitationColumns}
    FROM ${i} CROSS JOIN ${m2} ON ${m2.no} = ${i.invited_by}
    WHERE ${isVisibleInvitation(caller, reach)} ORDER BY ${i.id} DESC`);
}

const pendingInvitationColumns = selectColumns({
  id: i.id,
  email: i.email,
  role: i.role,
  projects: withType<string>(sql`(
        SELECT json_group_array(${p.id}) FROM json_each(${i.projects}) j
        CROSS JOIN ${p} ON ${p.id} = j.value AND ${p.ws} = ${i.ws})`),
});
export type PendingInvitation = Row<typeof pendingInvitationColumns>;

export function findPendingInvitation(
  caller: Caller,
  id: number,
  reach: 'all' | 'own',
): Statement<PendingInvitation | null> {
  return readFirstRow(sql`
    SELECT ${pendingInvitationColumns} FROM ${i}
    WHERE ${i.id} = ${id} AND ${isVisibleInvitation(caller, reach)}`);
}

export const assertInvitationPending = prepared.assertUnchanged(
  (caller: Argument<Caller>, id: Argument<number>) =>
    hasRow(invitations, and(isPendingInvitation(caller), eq(invitations.id, id))),
);

/** The old link stops working. The person who resends the invitation becomes its sender. */
export const renewInvitation = prepared.write(
  (
    caller: Argument<Caller>,
    id: Argument<number>,
    tokenHash: Argument<string>,
    expiresAt: Argument<number>,
  ) =>
    query
      .update(invitations)
      .set({ token_hash: tokenHash, expires_at: expiresAt, sent_at: null, invited_by: caller.member })
      .where(and(isPendingInvitation(caller), eq(invitations.id, id))),
);

export const endInvitation = prepared.write(
  (caller: Argument<Caller>, id: Argument<number>, now: Argument<number>) =>
    query
      .update(invitations)
      .set({ ended_at: now })
      .where(and(isPendingInvitation(caller), eq(invitations.id, id))),
);

const unsentInvitationColumns = selectColumns({
  id: i.id,
  email: i.email,
  workspace_name: w.name,
  invited_by: m2.name,
  inviter_id: m2.user_id,
});
export type UnsentInvitation = Row<typeof unsentInvitationColumns>;

export function hasDueInvitations(unsentBefore: number, oldBefore: number): SQL {
  return sql`(EXISTS (SELECT 1 FROM ${i} INDEXED BY invitations_unsent
      WHERE ${i.sent_at} IS NULL AND ${i.ended_at} IS NULL AND ${i.created_at} <= ${unsentBefore})
    OR EXISTS (SELECT 1 FROM ${i} INDEXED BY invitations_by_age WHERE ${i.created_at} < ${oldBefore}))`;
}

export function listUnsentInvitations(createdBefore: number, limit: number): Statement<UnsentInvitation[]> {
  return readRows(sql`
    SELECT ${unsentInvitationColumns}
    FROM ${i} INDEXED BY invitations_unsent CROSS JOIN ${w} ON ${w.no} = ${i.ws}
    CROSS JOIN ${m2} ON ${m2.no} = ${i.invited_by}
    WHERE ${i.sent_at} IS NULL AND ${i.ended_at} IS NULL AND ${i.created_at} <= ${createdBefore}
    ORDER BY ${i.created_at} LIMIT ${limit}`);
}

export const replaceUnsentToken = prepared.write((id: Argument<number>, tokenHash: Argument<string>) =>
  query
    .update(invitations)
    .set({ token_hash: tokenHash })
    .where(and(eq(invitations.id, id), isNull(invitations.sent_at), isNull(invitations.ended_at))),
);

export function markInvitationsSent(tokenHashes: readonly string[], now: number): Statement<void> {
  return write(sql`
    UPDATE ${invitations} SET ${invitations.sent_at} = ${now}
    WHERE ${invitations.token_hash} IN ${buildInList(tokenHashes)} AND ${invitations.sent_at} IS NULL`);
}

const idColumn = selectColumns({ id: invitations.id });

export function deleteOldInvitations(createdBefore: number, limit: number): Statement<{ id: number }[]> {
  return readRows(sql`
    DELETE FROM ${invitations} WHERE ${invitations.id} IN (
      SELECT ${i.id} FROM ${i} INDEXED BY invitations_by_age WHERE ${i.created_at} < ${createdBefore}
      ORDER BY ${i.created_at} LIMIT ${limit})
    RETURNING ${idColumn}`);
}
