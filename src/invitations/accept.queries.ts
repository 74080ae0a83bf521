import { sql } from 'drizzle-orm';
import { recordEvents } from '../event-log/record.queries.ts';
import type { Role } from '../kernel/access.ts';
import { assertUnchanged, firstRow, type Statement, write } from '../kernel/database.ts';
import type { Person } from '../workspaces/workspaces.queries.ts';
import type { InvitedRole } from './invitations.schema.ts';

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
