import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';
import { type TaskSelection, tasksWithin } from '../task-model/selection.queries.ts';

export interface Occurrence {
  id: number;
  occurrence: number;
}

/** Which tasks `t` an occurrence consists of, archived ones too, as a selection. */
export function tasksOf({ id, occurrence }: Occurrence): TaskSelection {
  return tasksWithin(
    sql`SELECT mt.task FROM meeting_tasks mt WHERE mt.meeting = ${id} AND mt.occurrence = ${occurrence}`,
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
    SELECT m.id AS id, m.occurrence AS occurrence, m.ws AS ws, m.project AS project, m.name AS name,
      m.description AS description, m.duration_minutes AS duration_minutes, m.recurrence AS recurrence,
      m.first_date AS first_date, m.first_time AS first_time, m.date AS date, m.time AS time, m.slot AS slot, m.version AS version,
      m.created_by AS created_by, w.timezone AS timezone,
      EXISTS (SELECT 1 FROM project_members pc CROSS JOIN active_members ac ON ac.no = pc.member
        WHERE pc.project = m.project AND pc.member = m.created_by) AS creator_stays,
      (SELECT json_group_array(mt.member ORDER BY mt.task) FROM meeting_tasks mt
        CROSS JOIN project_members pm ON pm.project = m.project AND pm.member = mt.member
        CROSS JOIN active_members am ON am.no = mt.member
        WHERE mt.meeting = m.id AND mt.occurrence = m.occurrence) AS members
    FROM meetings m INDEXED BY meetings_due CROSS JOIN workspaces w ON w.no = m.ws
    WHERE m.due_at <= ${now} AND m.cancelled_at IS NULL ORDER BY m.due_at LIMIT ${limit}`);
}
