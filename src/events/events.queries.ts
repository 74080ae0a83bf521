import { type SQL, sql } from 'drizzle-orm';
import type { EventType } from '../event-log/event-types.ts';
import type { Caller, Via } from '../kernel/access.ts';
import { reachOf } from '../kernel/capabilities.ts';
import { inList, row, rows, type Statement } from '../kernel/database.ts';
import { joined } from '../visibility/project-visibility.queries.ts';
import { seesEveryTask, taskVisible } from '../visibility/task-visibility.queries.ts';

export interface EventRow {
  seq: number;
  type: EventType;
  project: number | null;
  task: number | null;
  entity: number | string | null;
  actor_id: string | null;
  actor_name: string | null;
  via: Via;
  changes: string;
  occurred_at: number;
}

/** The ends of the part of a log that the feed tells; `oldest` is above `head` while there is no event. */
export interface LogEnds {
  oldest: number;
  head: number;
}

export function findLogEnds(caller: Caller): Statement<LogEnds> {
  return row<LogEnds>(sql`
    SELECT w.events_from AS oldest,
      coalesce((SELECT e.seq FROM events e WHERE e.ws = w.no ORDER BY e.seq DESC LIMIT 1), w.events_from - 1) AS head
    FROM workspaces w WHERE w.no = ${caller.workspace}`);
}

export interface EventFilter {
  after: number;
  /** How many events behind `after` are looked at. */
  window: number;
  types?: readonly EventType[] | undefined;
  projectId?: number | undefined;
  limit: number;
}

/** Oldest first. */
export function listEvents(caller: Caller, filter: EventFilter): Statement<EventRow[]> {
  const { after, window, types, projectId, limit } = filter;
  // Older events may still be there, for the history of their tasks.
  const start = sql`(SELECT max(${after}, w.events_from - 1) FROM workspaces w WHERE w.no = ${caller.workspace})`;
  return rows<EventRow>(sql`
    SELECT e.seq AS seq, e.type AS type, e.project AS project, e.task AS task, e.entity AS entity,
      m.user_id AS actor_id, m.name AS actor_name, e.via AS via, e.changes AS changes, e.occurred_at AS occurred_at
    FROM events e LEFT JOIN members m ON m.no = e.actor
    WHERE e.ws = ${caller.workspace} AND e.seq > ${start} AND e.seq <= ${start} + ${window} AND ${eventVisible(caller)}
      ${types === undefined ? sql`` : sql`AND e.type IN ${inList(types)}`}
      ${projectId === undefined ? sql`` : sql`AND e.project = ${projectId}`}
    ORDER BY e.seq LIMIT ${limit}`);
}

/** Condition on an event `e` of the caller's workspace: whether they see what it is about, now. */
function eventVisible(caller: Caller): SQL {
  const conditions = [
    sql`(e.reader IS NULL OR e.reader = ${caller.member})`,
    ...(reachOf(caller, 'seeMeetings') === 'all'
      ? []
      : [sql`(substr(e.type, 1, 8) <> 'meeting.' OR ${joined(caller, sql`e.project`)})`]),
    ...(seesEveryTask(caller)
      ? []
      : [
          sql`(e.project IS NULL OR ${joined(caller, sql`e.project`)}
            OR EXISTS (SELECT 1 FROM tasks t WHERE t.id = e.task AND ${taskVisible(caller)}))`,
        ]),
  ];
  return sql.join(conditions, sql` AND `);
}
