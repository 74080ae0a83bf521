import { type SQL, sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';
import type { WriteContext } from '../kernel/operation.ts';
import { countDeadlines, countDueDays } from '../tasks/deadline-counts.queries.ts';
import { NO_DEADLINE } from '../tasks/tasks.sql.ts';

export interface Occurrence {
  id: number;
  occurrence: number;
}

/** Which tasks `t` an occurrence consists of, archived ones too, as FROM and WHERE. */
function tasksOf({ id, occurrence }: Occurrence): SQL {
  return sql`tasks t NOT INDEXED WHERE t.id IN (
    SELECT mt.task FROM meeting_tasks mt WHERE mt.meeting = ${id} AND mt.occurrence = ${occurrence})`;
}

/** Moves the tasks of an occurrence to a day and a time of day, with their counters and their history. */
export function moveTasks(
  { caller, via, now }: WriteContext,
  occurrence: Occurrence,
  { date, time }: { date: string; time: string },
): Statement<void>[] {
  const ws = caller.workspace;
  const selected = tasksOf(occurrence);
  const moving = sql`${selected} AND t.due <> ${date}`;
  return [
    countDeadlines(ws, selected, -1),
    countDueDays(selected, -1),
    write(sql`
      INSERT INTO activities (ws, task, type, field, from_value, to_value, actor, via, created_at)
      SELECT t.ws, t.id, 'deadline_changed', 'deadline', nullif(t.due, ${NO_DEADLINE}), ${date},
        ${caller.member}, ${via}, ${now}
      FROM ${moving}`),
    write(sql`
      UPDATE tasks AS t SET activity_count = activity_count + (t.due <> ${date}), due = ${date},
        scheduled_time = ${time}, updated_at = ${now}, version = version + 1
      WHERE t.id IN (SELECT t.id FROM ${selected} AND (t.due <> ${date} OR t.scheduled_time IS NOT ${time}))`),
    countDeadlines(ws, selected, 1),
    countDueDays(selected, 1),
  ];
}

/** Sets the time of day of the tasks of an occurrence; their day stays. */
export function retimeTasks(
  { now }: WriteContext,
  occurrence: Occurrence,
  { time }: { time: string },
): Statement<void> {
  return write(sql`
    UPDATE tasks SET scheduled_time = ${time}, updated_at = ${now}, version = version + 1
    WHERE id IN (SELECT t.id FROM ${tasksOf(occurrence)} AND t.scheduled_time IS NOT ${time})`);
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
    SELECT m.id AS id, m.occurrence AS occurrence, m.ws AS ws, m.project AS project, m.name AS name,
      m.description AS description, m.duration_minutes AS duration_minutes, m.recurrence AS recurrence,
      m.first_date AS first_date, m.first_time AS first_time, m.slot AS slot, m.version AS version,
      m.created_by AS created_by, w.timezone AS timezone,
      EXISTS (SELECT 1 FROM project_members pc WHERE pc.project = m.project AND pc.member = m.created_by) AS creator_stays,
      (SELECT json_group_array(mt.member ORDER BY mt.task) FROM meeting_tasks mt
        CROSS JOIN project_members pm ON pm.project = m.project AND pm.member = mt.member
        WHERE mt.meeting = m.id AND mt.occurrence = m.occurrence) AS members
    FROM meetings m INDEXED BY meetings_due CROSS JOIN workspaces w ON w.no = m.ws
    WHERE m.due_at <= ${now} AND m.cancelled_at IS NULL ORDER BY m.due_at LIMIT ${limit}`);
}
