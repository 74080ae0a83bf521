import { rows, type Statement } from '../kernel/database.ts';
import { names, sql } from '../kernel/sql.ts';
import { projectMembers } from '../projects/projects.sql.ts';
import { type TaskSelection, tasksWithin } from '../task-model/selection.queries.ts';
import { activeMembers, workspaces } from '../workspaces/workspaces.sql.ts';
import { meetings, meetingTasks } from './meetings.sql.ts';

const ac = names(activeMembers, 'ac');
const am = names(activeMembers, 'am');
const m = names(meetings, 'm');
const mt = names(meetingTasks, 'mt');
const pc = names(projectMembers, 'pc');
const pm = names(projectMembers, 'pm');
const w = names(workspaces, 'w');

export interface Occurrence {
  id: number;
  occurrence: number;
}

/** Which tasks `t` an occurrence consists of, archived ones too, as a selection. */
export function tasksOf({ id, occurrence }: Occurrence): TaskSelection {
  return tasksWithin(
    sql`SELECT ${mt.task} FROM ${mt} WHERE ${mt.meeting} = ${id} AND ${mt.occurrence} = ${occurrence}`,
  );
}

export interface DueMeeting extends Occurrence {
  ws: number;
  project: number;
  name: string;
  description: string | null;
  duration_minutes: number;
  recurrence: string;
  first_date: string;
  first_time: string;
  date: string;
  time: string;
  slot: string;
  version: number;
  created_by: number;
  timezone: string;
  /** The creator is still a member of the project. */
  creator_stays: number;
  /** JSON: numbers of the participants who are still members of the project. */
  members: string;
}

/** Meetings whose latest occurrence has started and whose next one does not exist, the longest overdue first. */
export function listDueMeetings(now: number, limit: number): Statement<DueMeeting[]> {
  return rows<DueMeeting>(sql`
    SELECT ${m.id} AS id, ${m.occurrence} AS occurrence, ${m.ws} AS ws, ${m.project} AS project,
      ${m.name} AS name,
      ${m.description} AS description, ${m.duration_minutes} AS duration_minutes, ${m.recurrence} AS recurrence,
      ${m.first_date} AS first_date, ${m.first_time} AS first_time, ${m.date} AS date, ${m.time} AS time,
        ${m.slot} AS slot, ${m.version} AS version,
      ${m.created_by} AS created_by, ${w.timezone} AS timezone,
      EXISTS (SELECT 1 FROM ${pc} CROSS JOIN ${ac} ON ${ac.no} = ${pc.member}
        WHERE ${pc.project} = ${m.project} AND ${pc.member} = ${m.created_by}) AS creator_stays,
      (SELECT json_group_array(${mt.member} ORDER BY ${mt.task}) FROM ${mt}
        CROSS JOIN ${pm} ON ${pm.project} = ${m.project} AND ${pm.member} = ${mt.member}
        CROSS JOIN ${am} ON ${am.no} = ${mt.member}
        WHERE ${mt.meeting} = ${m.id} AND ${mt.occurrence} = ${m.occurrence}) AS members
    FROM ${m} INDEXED BY meetings_due CROSS JOIN ${w} ON ${w.no} = ${m.ws}
    WHERE ${m.due_at} <= ${now} AND ${m.cancelled_at} IS NULL ORDER BY ${m.due_at} LIMIT ${limit}`);
}
