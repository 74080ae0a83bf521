import { recordEvents } from '../../events/log/record.queries.ts';
import { getReach, type Reach } from '../../kernel/access/capabilities.ts';
import { type Role, roles } from '../../kernel/access/roles.ts';
import { type AuditAuthor, recordAuditEntryBy } from '../../kernel/audit/record-audit.queries.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
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
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { unfollowUnjoinedProjects } from '../../tasks/counters/unfollow.queries.ts';
import type { Person } from '../directory/workspaces.queries.ts';

const a2 = aliasTable(activeMembers, 'a');
const a = aliasTable(members, 'a');
const i = aliasTable(invitations, 'i');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const s = aliasTable(activeMembers, 's');
const w = aliasTable(workspaces, 'w');

const invitationByTokenColumns = selectColumns({
  id: i.id,
  ws: i.ws,
  email: i.email,
  email_key: i.email_key,
  role: i.role,
  workspace_id: w.id,
  workspace_name: w.name,
  timezone: w.timezone,
  invited_by: m.name,
  accepted_by: withType<string | null>(sql`(SELECT ${a.user_id} FROM ${a} WHERE ${a.no} = ${i.accepted_by})`),
});
export type InvitationByToken = Row<typeof invitationByTokenColumns>;

export function findInvitationByToken(tokenHash: string, now: number): Statement<InvitationByToken | null> {
  return readFirstRow(sql`
    SELECT ${invitationByTokenColumns}
    FROM ${i} CROSS JOIN ${w} ON ${w.no} = ${i.ws} CROSS JOIN ${m} ON ${m.no} = ${i.invited_by}
    WHERE ${i.token_hash} = ${tokenHash} AND (${i.accepted_by} IS NOT NULL
      OR (${i.ended_at} IS NULL AND ${i.expires_at} > ${now}))`);
}

const listRolesWithReach = (reach: Reach) =>
  buildInList(roles.filter((role) => getReach({ role }, 'invitePeople') === reach));

/**
 * Builds FROM and WHERE for the projects `p` that the sender can still grant. People who have left can't grant any.
 */
function selectGrantedProjects({ id, ws }: InvitationByToken): SQL {
  return sql`
    FROM ${i} CROSS JOIN ${s} ON ${s.no} = ${i.invited_by} AND ${s.ws} = ${i.ws}
    CROSS JOIN json_each(${i.projects}) j CROSS JOIN ${p} ON ${p.id} = j.value AND ${p.ws} = ${i.ws}
    WHERE ${i.id} = ${id} AND ${i.ws} = ${ws} AND (${s.role} IN ${listRolesWithReach('all')}
      OR (${s.role} IN ${listRolesWithReach('own')} AND ${p.owner} = ${s.no}))`;
}

/** Affects only people who have left, so it must come before the statement that restores their membership. */
function removeFromOtherProjects(invitation: InvitationByToken, person: Person): Statement<void>[] {
  const { ws } = invitation;
  const gone = sql`(SELECT ${m.no} FROM ${m} WHERE ${m.ws} = ${ws} AND ${m.user_id} = ${person.id}
    AND ${m.ended_at} IS NOT NULL)`;
  return [
    write(sql`
      DELETE FROM ${projectMembers} WHERE ${projectMembers.member} = ${gone} AND ${projectMembers.project} NOT IN (
        SELECT ${p.id} ${selectGrantedProjects(invitation)})`),
    ...unfollowUnjoinedProjects(ws, gone),
  ];
}

/**
 * Grants only projects that the sender can still grant. If the person is already an active member, only marks the
 * invitation as accepted.
 */
export function acceptInvitation(
  invitation: InvitationByToken,
  person: Person,
  cells: readonly number[],
  from: AuditAuthor['from'],
  now: number,
): Statement<void>[] {
  const { id, ws, role } = invitation;
  const emailKey = person.email.toLowerCase();
  const member = sql`(SELECT ${a2.no} FROM ${a2} WHERE ${a2.ws} = ${ws} AND ${a2.user_id} = ${person.id})`;
  // False for an active member, because an earlier statement sets `accepted_by` for them.
  const joins = sql`EXISTS (SELECT 1 FROM ${i} WHERE ${i.id} = ${id} AND ${i.accepted_by} IS NULL)`;
  const ctx = {
    caller: { workspace: ws, member, timezone: invitation.timezone },
    via: 'session' as const,
    now,
  };
  return [
    assertUnchanged(sql`EXISTS (
      SELECT 1 FROM ${i} WHERE ${i.id} = ${id} AND ${i.ended_at} IS NULL AND ${i.expires_at} > ${now}
      AND ${i.email_key} = ${emailKey})`),
    write(
      sql`UPDATE ${invitations} SET ${invitations.accepted_by} = ${member} WHERE ${invitations.id} = ${id}`,
    ),
    ...(getReach({ role }, 'seeTasks') === 'all' ? [] : removeFromOtherProjects(invitation, person)),
    write(sql`
      INSERT INTO ${nameInsertColumns(members, 'ws', 'user_id', 'role', 'name', 'email', 'email_key', 'image', 'cells', 'created_at', 'is_settled')}
      VALUES (${ws}, ${person.id}, ${role satisfies Role}, ${person.name}, ${person.email}, ${emailKey}, ${person.image},
        ${JSON.stringify(cells)}, ${now}, 0)
      ON CONFLICT (${members.ws}, ${members.user_id}) DO UPDATE
        SET ${members.ended_at} = NULL, ${members.role} = excluded.role, ${members.name} = excluded.name,
        ${members.email} = excluded.email, ${members.email_key} = excluded.email_key,
          ${members.image} = excluded.image, ${members.cells} = excluded.cells
      WHERE ${members.ended_at} IS NOT NULL`),
    recordEvents(
      ctx,
      sql`SELECT 'member.joined' AS type, NULL AS project, NULL AS task, ${person.id} AS entity, NULL AS reader,
        0 AS position,
        ${JSON.stringify({ role: { from: null, to: role } })} AS changes, 0 AS entries
        WHERE ${joins}`,
    ),
    recordAuditEntryBy(
      { ws, actor: member, kind: 'browser', from, now },
      { type: 'member.joined', details: { role } },
      joins,
    ),
    write(sql`
      INSERT INTO ${nameInsertColumns(projectMembers, 'project', 'member')}
      SELECT ${p.id}, ${member} ${selectGrantedProjects(invitation)} AND ${joins}
      ON CONFLICT DO NOTHING`),
    write(sql`
      UPDATE ${invitations} SET ${invitations.ended_at} = ${now}, ${invitations.accepted_by} = ${member},
        ${invitations.email} = '', ${invitations.email_key} = ''
      WHERE ${invitations.id} = ${id}`),
  ];
}
