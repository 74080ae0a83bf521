import type { Caller, ChangeOrigin } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { buildInList, readFirstRow, readRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { hasJoinedProject, isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { isTaskVisible, seesEveryTask } from '../../tasks/visibility/task-visibility.queries.ts';
import type { EventType } from '../log/event-types.ts';

const e = aliasTable(events, 'e');
const m = aliasLeftJoinedTable(members, 'm');
const p = aliasLeftJoinedTable(projects, 'p');
const q = aliasTable(projects, 'q');
const t = aliasTable(tasks, 't');
const tt = aliasLeftJoinedTable(tasks, 'tt');
const w = aliasTable(workspaces, 'w');

const taskIdPaths = [
  '$.parent.from.id',
  '$.parent.to.id',
  '$.relations.from.task.id',
  '$.relations.to.task.id',
];

function selectVisibleChanges(caller: Caller) {
  if (seesEveryTask(caller)) return selectColumns({ changes: e.changes });
  const replaced = taskIdPaths.map((path) => {
    const id = sql.raw(`'${path}'`);
    return sql`${id}, (SELECT ${t.id} FROM ${t} WHERE ${t.id} = ${e.changes} ->> ${id} AND ${isTaskVisible(t, caller)})`;
  });
  const moved = ['$.project.from.id', '$.project.to.id'].map((path) => {
    const id = sql.raw(`'${path}'`);
    return sql`${id}, (SELECT ${q.id} FROM ${q} WHERE ${q.ws} = ${caller.workspace} AND ${q.id} = ${e.changes} ->> ${id}
      AND ${isProjectVisible(caller, q.id)})`;
  });
  const changes = withType<string>(
    sql`json_replace(${e.changes}, ${sql.join([...replaced, ...moved], sql`, `)})`,
  );
  return selectColumns({ changes });
}

const eventColumns = selectColumns({
  seq: e.seq,
  type: withType<EventType>(e.type),
  project: e.project,
  task: e.task,
  entity: e.entity,
  actor_id: m.user_id,
  actor_name: m.name,
  via: withType<ChangeOrigin>(e.via),
  occurred_at: e.occurred_at,
});
export type EventRow = Row<typeof eventColumns> & Pick<typeof events.$inferSelect, 'changes'>;

const logRangeColumns = selectColumns({
  oldest: w.events_from,
  head: withType<number>(sql`coalesce((SELECT ${e.seq} FROM ${e} WHERE ${e.ws} = ${w.no} ORDER BY ${e.seq} DESC LIMIT 1),
        ${w.events_from} - 1)`),
});
/** The first and the last `seq` that the feed can return. If the feed is empty, `oldest` is greater than `head`. */
export type LogRange = Row<typeof logRangeColumns>;

export function findLogRange(caller: Caller): Statement<LogRange> {
  return readRow(sql`
    SELECT ${logRangeColumns}
    FROM ${w} WHERE ${w.no} = ${caller.workspace}`);
}

export interface EventFilter {
  after: number;
  window: number;
  types?: readonly EventType[] | undefined;
  projectId?: number | undefined;
  limit: number;
}

export function listEvents(caller: Caller, filter: EventFilter): Statement<EventRow[]> {
  const { after, window, types, projectId, limit } = filter;
  // The table also contains events that have left the feed, because they belong to a task's history.
  const start = sql`(SELECT max(${after}, ${w.events_from} - 1) FROM ${w} WHERE ${w.no} = ${caller.workspace})`;
  return readRows(sql`
    SELECT ${eventColumns}, ${selectVisibleChanges(caller)} FROM ${e} LEFT JOIN ${m} ON ${m.no} = ${e.actor}
    WHERE ${e.ws} = ${caller.workspace} AND ${e.seq} > ${start} AND ${e.seq} <= ${start} + ${window}
      AND ${isEventVisible(caller)}
      ${types === undefined ? sql`` : sql`AND ${e.type} IN ${buildInList(types)}`}
      ${projectId === undefined ? sql`` : sql`AND ${e.project} = ${projectId}`}
    ORDER BY ${e.seq} LIMIT ${limit}`);
}

/** Checks what the caller can see now. That can differ from what they could see when the event happened. */
function isEventVisible(caller: Caller): SQL {
  const conditions = [
    sql`(${e.reader} IS NULL OR ${e.reader} = ${caller.member})`,
    ...(getReach(caller, 'seeMeetings') === 'all'
      ? []
      : [sql`(substr(${e.type}, 1, 8) <> 'meeting.' OR ${hasJoinedProject(caller, e.project)})`]),
    ...(seesEveryTask(caller)
      ? []
      : [
          // Tags belong to no project, so the caller might not have access to any task with this tag.
          sql`${e.type} <> 'label.updated'`,
          // Includes the event that removes the caller from a project, so that clients with a synced copy delete
          // the project's data.
          sql`(${e.project} IS NULL OR ${hasJoinedProject(caller, e.project)}
            OR (${e.type} = 'project.member_removed' AND ${e.entity} = ${caller.userId})
            OR EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${e.task} AND ${isTaskVisible(t, caller)}))`,
        ]),
  ];
  return sql.join(conditions, sql` AND `);
}

const changeColumns = selectColumns({
  seq: e.seq,
  type: withType<EventType>(e.type),
  project: e.project,
  project_name: p.name,
  task: e.task,
  task_name: tt.name,
  actor_id: m.user_id,
  actor_name: m.name,
  via: withType<ChangeOrigin>(e.via),
  occurred_at: e.occurred_at,
});
export type ChangeRow = Row<typeof changeColumns> & Pick<typeof events.$inferSelect, 'changes'>;

export interface ChangeFilter {
  before: number;
  window: number;
  since: number;
  types?: readonly EventType[] | undefined;
  projectId?: number | undefined;
  actorId?: string | undefined;
  limit: number;
}

export function listChanges(caller: Caller, filter: ChangeFilter): Statement<ChangeRow[]> {
  const { before, window, since, types, projectId, actorId, limit } = filter;
  const kept = sql`(SELECT ${w.events_from} FROM ${w} WHERE ${w.no} = ${caller.workspace})`;
  return readRows(sql`
    SELECT ${changeColumns}, ${selectVisibleChanges(caller)} FROM ${e} LEFT JOIN ${m} ON ${m.no} = ${e.actor}
      LEFT JOIN ${tt} ON ${tt.id} = ${e.task} AND ${tt.ws} = ${e.ws} LEFT JOIN ${p} ON ${p.id} = ${e.project}
    WHERE ${e.ws} = ${caller.workspace} AND ${e.seq} < ${before}
      AND ${e.seq} >= max(${before} - ${window}, ${kept}) AND ${e.occurred_at} >= ${since}
      AND ${isEventVisible(caller)}
      ${types === undefined ? sql`` : sql`AND ${e.type} IN ${buildInList(types)}`}
      ${projectId === undefined ? sql`` : sql`AND ${e.project} = ${projectId}`}
      ${actorId === undefined ? sql`` : sql`AND ${m.user_id} = ${actorId}`}
    ORDER BY ${e.seq} DESC LIMIT ${limit}`);
}

const occurredAtColumn = selectColumns({ at: e.occurred_at });

export function findEventTime(caller: Caller, seq: number): Statement<{ at: number } | null> {
  return readFirstRow(sql`
    SELECT ${occurredAtColumn} FROM ${e}
    WHERE ${e.ws} = ${caller.workspace} AND ${e.seq} <= ${seq}
      AND ${e.seq} >= (SELECT ${w.events_from} FROM ${w} WHERE ${w.no} = ${caller.workspace})
    ORDER BY ${e.seq} DESC LIMIT 1`);
}

/** Returns the time of the oldest event in the feed, or null if no events have been removed from the feed yet. */
export function findOldestEventTime(caller: Caller): Statement<{ at: number } | null> {
  return readFirstRow(sql`
    SELECT ${occurredAtColumn} FROM ${w}
    JOIN ${e} ON ${e.ws} = ${w.no} AND ${e.seq} = ${w.events_from}
    WHERE ${w.no} = ${caller.workspace} AND ${w.events_from} > 1`);
}
