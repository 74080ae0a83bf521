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
];
