import { type SQL, sql } from 'drizzle-orm';
import { recordEvents } from '../event-log/record.queries.ts';
import type { Caller, Role } from '../kernel/access.ts';
import {
  assertUnchanged,
  firstRow,
  inList,
  number,
  queryBuilder,
  rows,
  type Statement,
  write,
} from '../kernel/database.ts';
import type { Person } from '../workspaces/workspaces.queries.ts';
import type { InvitedRole } from './invitations.schema.ts';
import { invitations } from './invitations.sql.ts';

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
      UPDATE invitations SET ended_at = ${now}
      WHERE ws = ${caller.workspace} AND email_key = ${draft.emailKey} AND ended_at IS NULL`),
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
export const newestInvitation = sql`(SELECT max(id) FROM invitations)`;

/** How many invitations of a workspace may be open. */
export function countOpen(caller: Caller): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM invitations i WHERE i.ws = ${caller.workspace} AND i.ended_at IS NULL`);
}

export function countMembersWith(caller: Caller, emailKey: string): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM active_members m WHERE m.ws = ${caller.workspace} AND m.email_key = ${emailKey}`);
}

/** Undoes the batch if somebody with this address is a member. */
export function assertNoMember(caller: Caller, emailKey: string): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (
    SELECT 1 FROM active_members m WHERE m.ws = ${caller.workspace} AND m.email_key = ${emailKey})`);
}

function among(caller: Caller, ids: readonly number[], reach: 'all' | 'own'): SQL {
  const led = reach === 'all' ? sql`` : sql`AND p.owner = ${caller.member}`;
  return sql`projects p WHERE p.ws = ${caller.workspace} AND p.id IN ${inList(ids)} ${led}`;
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

export interface InvitationRow {
  id: number;
  email: string;
  role: InvitedRole;
  /** JSON array of `{id, name}`. */
  projects: string;
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
}

/** Condition: the invitation is open, and the caller may see it. */
function visible(caller: Caller, reach: 'all' | 'own'): SQL {
  const own = reach === 'all' ? sql`` : sql`AND i.invited_by = ${caller.member}`;
  return sql`i.ws = ${caller.workspace} AND i.ended_at IS NULL ${own}`;
}

export function listOpen(caller: Caller, reach: 'all' | 'own'): Statement<InvitationRow[]> {
  return rows<InvitationRow>(sql`
    SELECT i.id AS id, i.email AS email, i.role AS role, m.name AS invitedBy, i.created_at AS createdAt,
      i.expires_at AS expiresAt, (
        SELECT json_group_array(json_object('id', p.id, 'name', p.name)) FROM json_each(i.projects) j
        CROSS JOIN projects p ON p.id = j.value AND p.ws = i.ws) AS projects
    FROM invitations i CROSS JOIN members m ON m.no = i.invited_by
    WHERE ${visible(caller, reach)} ORDER BY i.id DESC`);
}

/** An open invitation, expired or not. */
export interface OpenInvitation {
  id: number;
  email: string;
  role: InvitedRole;
}

export function findOpen(caller: Caller, id: number, reach: 'all' | 'own'): Statement<OpenInvitation | null> {
  return firstRow<OpenInvitation>(sql`
    SELECT i.id AS id, i.email AS email, i.role AS role FROM invitations i
    WHERE i.id = ${id} AND ${visible(caller, reach)}`);
}

/** Undoes the batch unless the invitation is open. */
export function assertOpen(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM invitations i WHERE i.id = ${id} AND i.ws = ${caller.workspace} AND i.ended_at IS NULL)`);
}

/** The old link ends. */
export function renewInvitation(
  caller: Caller,
  id: number,
  tokenHash: string,
  expiresAt: number,
): Statement<void> {
  return write(sql`
    UPDATE invitations SET token_hash = ${tokenHash}, expires_at = ${expiresAt}, sent_at = NULL
    WHERE id = ${id} AND ws = ${caller.workspace} AND ended_at IS NULL`);
}

export function endInvitation(caller: Caller, id: number, now: number): Statement<void> {
  return write(sql`
    UPDATE invitations SET ended_at = ${now} WHERE id = ${id} AND ws = ${caller.workspace} AND ended_at IS NULL`);
}

/** What who holds the link may know. */
export interface LinkedInvitation {
  id: number;
  ws: number;
  email: string;
  email_key: string;
  role: InvitedRole;
  workspace_id: string;
  workspace_name: string;
  timezone: string;
  invited_by: string;
  /** Whose it was, once it was accepted. */
  accepted_by: string | null;
}

/** The invitation behind a link, while it is open, or once it was accepted. */
export function findByToken(tokenHash: string, now: number): Statement<LinkedInvitation | null> {
  return firstRow<LinkedInvitation>(sql`
    SELECT i.id AS id, i.ws AS ws, i.email AS email, i.email_key AS email_key, i.role AS role,
      w.id AS workspace_id, w.name AS workspace_name, w.timezone AS timezone, m.name AS invited_by,
      (SELECT a.user_id FROM members a WHERE a.no = i.accepted_by) AS accepted_by
    FROM invitations i CROSS JOIN workspaces w ON w.no = i.ws CROSS JOIN members m ON m.no = i.invited_by
    WHERE i.token_hash = ${tokenHash} AND (i.accepted_by IS NOT NULL OR (i.ended_at IS NULL AND i.expires_at > ${now}))`);
}

/**
 * Makes a person a member by an invitation, with its role and in its projects; undoes the batch unless the invitation is
 * still open and theirs. Somebody who is a member already keeps their role.
 */
export function acceptInvitation(
  invitation: LinkedInvitation,
  person: Person,
  cells: readonly number[],
  now: number,
): Statement<void>[] {
  const { id, ws, role } = invitation;
  const emailKey = person.email.toLowerCase();
  const member = sql`(SELECT a.no FROM active_members a WHERE a.ws = ${ws} AND a.user_id = ${person.id})`;
  const ctx = {
    caller: { workspace: ws, member, timezone: invitation.timezone },
    via: 'session' as const,
    now,
  };
  return [
    assertUnchanged(sql`EXISTS (
      SELECT 1 FROM invitations i WHERE i.id = ${id} AND i.ended_at IS NULL AND i.expires_at > ${now}
      AND i.email_key = ${emailKey})`),
    write(sql`
      INSERT INTO members (ws, user_id, role, name, email, email_key, image, cells, created_at, is_settled)
      VALUES (${ws}, ${person.id}, ${role satisfies Role}, ${person.name}, ${person.email}, ${emailKey}, ${person.image},
        ${JSON.stringify(cells)}, ${now}, 0)
      ON CONFLICT (ws, user_id) DO UPDATE SET ended_at = NULL, role = excluded.role, name = excluded.name,
        email = excluded.email, email_key = excluded.email_key, image = excluded.image, cells = excluded.cells
      WHERE ended_at IS NOT NULL`),
    recordEvents(
      ctx,
      sql`SELECT 'member.joined' AS type, NULL AS project, NULL AS task, ${person.id} AS entity, NULL AS reader, 0 AS position,
        ${JSON.stringify({ role: { from: null, to: role } })} AS changes, 0 AS entries`,
    ),
    write(sql`
      INSERT INTO project_members (project, member)
      SELECT p.id, ${member} FROM invitations i CROSS JOIN json_each(i.projects) j
      CROSS JOIN projects p ON p.id = j.value AND p.ws = i.ws WHERE i.id = ${id}
      ON CONFLICT DO NOTHING`),
    write(sql`
      UPDATE invitations SET ended_at = ${now}, accepted_by = ${member}, email = '', email_key = ''
      WHERE id = ${id}`),
  ];
}

export interface UnsentInvitation {
  id: number;
  email: string;
  workspace_name: string;
  invited_by: string;
}

/** Invitations whose mail a crash prevented. */
export function listUnsent(createdBefore: number, limit: number): Statement<UnsentInvitation[]> {
  return rows<UnsentInvitation>(sql`
    SELECT i.id AS id, i.email AS email, w.name AS workspace_name, m.name AS invited_by
    FROM invitations i INDEXED BY invitations_unsent CROSS JOIN workspaces w ON w.no = i.ws
    CROSS JOIN members m ON m.no = i.invited_by
    WHERE i.sent_at IS NULL AND i.ended_at IS NULL AND i.created_at <= ${createdBefore}
    ORDER BY i.created_at LIMIT ${limit}`);
}

/** A link for a mail that was never queued. */
export function replaceUnsentToken(id: number, tokenHash: string): Statement<void> {
  return write(sql`
    UPDATE invitations SET token_hash = ${tokenHash} WHERE id = ${id} AND sent_at IS NULL AND ended_at IS NULL`);
}

export function markSent(tokenHash: string, now: number): Statement<void> {
  return write(sql`
    UPDATE invitations SET sent_at = ${now} WHERE token_hash = ${tokenHash} AND sent_at IS NULL`);
}

/** Forgets a bounded number of old invitations; answers them. */
export function deleteOld(createdBefore: number, limit: number): Statement<{ id: number }[]> {
  return rows<{ id: number }>(sql`
    DELETE FROM invitations WHERE id IN (
      SELECT i.id FROM invitations i INDEXED BY invitations_by_age WHERE i.created_at < ${createdBefore}
      ORDER BY i.created_at LIMIT ${limit})
    RETURNING id`);
}
