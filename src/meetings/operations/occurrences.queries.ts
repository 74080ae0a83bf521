import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { meetings, meetingTasks } from '../../schema/cell/meetings.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';
import { selectTasksFromSubquery, type TaskSelection } from '../../tasks/model/selection.queries.ts';

const ac = aliasTable(activeMembers, 'ac');
const am = aliasTable(activeMembers, 'am');
const m = aliasTable(meetings, 'm');
const mt = aliasTable(meetingTasks, 'mt');
const o = aliasTable(tasks, 'o');
const pc = aliasTable(projectMembers, 'pc');
const pm = aliasTable(projectMembers, 'pm');
const w = aliasTable(workspaces, 'w');

export interface Occurrence {
  id: number;
  occurrence: number;
}

/** Leaves out deleted tasks, whose workspace numbers are negative. */
export function selectOccurrenceTasks({ id, occurrence }: Occurrence): TaskSelection {
  return selectTasksFromSubquery(
    sql`SELECT ${mt.task} FROM ${mt} CROSS JOIN ${o} ON ${o.id} = ${mt.task} AND ${o.ws} > 0 WHERE ${mt.meeting} = ${id} AND ${mt.occurrence} = ${occurrence}`,
  );
}

const dueMeetingColumns = selectColumns({
  id: m.id,
  occurrence: m.occurrence,
  ws: m.ws,
  project: m.project,
  name: m.name,
  description: m.description,
  duration_minutes: m.duration_minutes,
  /** Never null, because every meeting with a next occurrence has a rule. */
  recurrence: withType<string>(m.recurrence),
  first_date: m.first_date,
  first_time: m.first_time,
  date: m.date,
  time: m.time,
  slot: m.slot,
  version: m.version,
  created_by: m.created_by,
  timezone: w.timezone,
  creator_stays: withType<number>(sql`EXISTS (SELECT 1 FROM ${pc} CROSS JOIN ${ac} ON ${ac.no} = ${pc.member}
        WHERE ${pc.project} = ${m.project} AND ${pc.member} = ${m.created_by})`),
  /** A JSON array with the numbers of the participants who are still members of the project. */
  members: withType<string>(sql`(SELECT json_group_array(${mt.member} ORDER BY ${mt.task}) FROM ${mt}
        CROSS JOIN ${pm} ON ${pm.project} = ${m.project} AND ${pm.member} = ${mt.member}
        CROSS JOIN ${am} ON ${am.no} = ${mt.member}
        WHERE ${mt.meeting} = ${m.id} AND ${mt.occurrence} = ${m.occurrence})`),
});
export type DueMeeting = Row<typeof dueMeetingColumns>;

export function hasDueMeetings({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${m} INDEXED BY meetings_due WHERE ${m.due_at} <= ${now} AND ${m.cancelled_at} IS NULL)`;
}

export function listDueMeetings(now: number, limit: number): Statement<DueMeeting[]> {
  return readRows(sql`
    SELECT ${dueMeetingColumns}
    FROM ${m} INDEXED BY meetings_due CROSS JOIN ${w} ON ${w.no} = ${m.ws}
    WHERE ${m.due_at} <= ${now} AND ${m.cancelled_at} IS NULL ORDER BY ${m.due_at} LIMIT ${limit}`);
}
