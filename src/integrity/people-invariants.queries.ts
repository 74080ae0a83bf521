import { type Invariant, offenders } from './invariant.queries.ts';

/** Rows `x` of a table whose author is no member of their workspace, present or past. */
function ofNobody(
  [what, table, column, id = 'id']: readonly [what: string, table: string, column: string, id?: string],
  condition = 'true',
): string {
  return `
    SELECT '${what} ' || x.${id} || ' is of member ' || x.${column} || ', who is nobody' AS offender FROM ${table} x
    WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM members m WHERE m.no = x.${column} AND m.ws = abs(x.ws))`;
}

/** Invariants that hold because memberships end and are never deleted. */
export const peopleInvariants: readonly Invariant[] = [
  {
    name: 'who wrote a task, a comment or an entry of the history is or was a member',
    over: 'tasks',
    offenders: offenders((within) =>
      [
        ofNobody(['task', 'tasks', 'created_by'], within('x.id')),
        ofNobody(['comment', 'comments', 'author'], within('x.task')),
        ofNobody(['event', 'events', 'actor', 'seq'], within('x.task')),
      ].join(' UNION ALL '),
    ),
  },
  {
    name: 'who owns a project or made a meeting, a file or a time entry is or was a member',
    offenders: offenders(
      [
        ofNobody(['project', 'projects', 'owner']),
        ofNobody(['meeting', 'meetings', 'created_by']),
        ofNobody(['file', 'attachments', 'uploaded_by']),
        ofNobody(['time entry', 'time_entries', 'member']),
      ].join(' UNION ALL '),
    ),
  },
  {
    name: 'people who left have no key that works and no timer that runs',
    offenders: offenders(`
      SELECT 'member ' || m.no || ' left and has credential ' || c.id AS offender
      FROM members m CROSS JOIN credentials c ON c.member = m.no AND c.revoked_at IS NULL
      WHERE m.ended_at IS NOT NULL AND m.is_settled = 1
      UNION ALL
      SELECT 'member ' || m.no || ' left and runs timer ' || e.id
      FROM time_entries e INDEXED BY time_entries_running CROSS JOIN members m ON m.no = e.member
      WHERE e.ended_at IS NULL AND m.ended_at IS NOT NULL AND m.is_settled = 1`),
  },
  {
    name: 'at most the newest notification belongs to nobody, after each that was deleted',
    offenders: offenders(`
      SELECT 'notifications ' || min(n.id) || ' to ' || max(n.id) || ' belong to nobody' AS offender
      FROM notifications n WHERE n.user_id = '' GROUP BY n.user_id HAVING count(*) > 1`),
  },
  {
    name: 'every workspace that somebody is in has an owner',
    offenders: offenders(`
      SELECT 'workspace ' || m.ws || ' has members and no owner' AS offender FROM active_members m
      GROUP BY m.ws HAVING sum(m.role = 'owner') = 0`),
  },
  {
    name: 'open invitations are from people who may give that role, and accepted ones hold no address',
    offenders: offenders(`
      SELECT 'invitation ' || i.id || ' is from member ' || m.no || ', who may not give the role ' || i.role AS offender
      FROM invitations i CROSS JOIN members m ON m.no = i.invited_by
      WHERE i.ended_at IS NULL AND (m.ws <> i.ws OR m.ended_at IS NOT NULL OR NOT (
        m.role = 'owner' OR m.role = 'admin' OR (m.role = 'lead' AND i.role IN ('member', 'client'))))
      UNION ALL
      SELECT 'invitation ' || i.id || ' was accepted and holds an address' FROM invitations i
      WHERE i.accepted_by IS NOT NULL AND (i.email <> '' OR i.email_key <> '' OR i.ended_at IS NULL)
      UNION ALL
      SELECT 'invitation ' || i.id || ' was accepted by member ' || i.accepted_by || ' of another workspace'
      FROM invitations i WHERE i.accepted_by IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM members m WHERE m.no = i.accepted_by AND m.ws = i.ws)`),
  },
  {
    name: 'only people who left give their tasks away, and only deleted workspaces are emptied',
    offenders: offenders(`
      SELECT 'member ' || d.member || ' gives tasks away and has not left' AS offender FROM departures d
      WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.no = d.member AND m.ws = d.ws AND m.ended_at IS NOT NULL)
      UNION ALL
      SELECT 'workspace ' || d.ws || ' is being deleted, and member ' || m.no || ' is in it' FROM workspace_deletions d
      CROSS JOIN active_members m ON m.ws = d.ws`),
  },
];
