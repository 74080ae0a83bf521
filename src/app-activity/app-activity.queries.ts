import type { EventType } from '../events/log/event-types.ts';
import { isAfterFirstEvent } from '../events/log/task-events.queries.ts';
import type { Caller } from '../kernel/access/access.ts';
import { getReach } from '../kernel/access/capabilities.ts';
import { readFirstRow, readRows, type Statement } from '../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../kernel/sql/sql.ts';
import { bots } from '../schema/cell/bots.ts';
import { comments } from '../schema/cell/comments.ts';
import { credentials } from '../schema/cell/credentials.ts';
import { events } from '../schema/cell/events.ts';
import { tasks } from '../schema/cell/tasks.ts';
import { activeMembers, members } from '../schema/cell/workspaces.ts';
import { selectAccountablePerson } from '../workspaces/accountable/accountable.queries.ts';

const b = aliasTable(bots, 'bt');
const cr = aliasTable(credentials, 'cr');
const am = aliasTable(activeMembers, 'am');
const c = aliasTable(comments, 'c');
const e = aliasTable(events, 'e');
const m = aliasLeftJoinedTable(members, 'm');
const t = aliasTable(tasks, 't');
const x = aliasTable(events, 'x');

export interface ChangeRange {
  readonly app: number;
  /** The first and the last `seq`, inclusive. */
  readonly from: number;
  readonly until: number;
  readonly since: number;
}

export interface ChangePage extends ChangeRange {
  readonly before: number;
  readonly limit: number;
}

const appColumns = selectColumns({ id: cr.id, name: cr.name, member: cr.member });

/** Finds a key or token that belongs to the caller, or to a bot that they manage or are accountable for. */
export function findApp(caller: Caller, id: number): Statement<Row<typeof appColumns> | null> {
  const { workspace, member } = caller;
  const isManager = getReach(caller, 'managePeople') === 'all' ? sql`true` : sql`false`;
  const isOfOwnBot = sql`EXISTS (SELECT 1 FROM ${b} WHERE ${b.member} = ${cr.member} AND ${b.ws} = ${workspace}
    AND (${isManager} OR ${selectAccountablePerson(workspace, cr.member)} = ${member}))`;
  return readFirstRow(sql`
    SELECT ${appColumns} FROM ${cr}
    WHERE ${cr.ws} = ${workspace} AND ${cr.id} = ${id} AND (${cr.member} = ${member} OR ${isOfOwnBot})`);
}

const timeColumns = selectColumns({ seq: e.seq, occurred_at: e.occurred_at });

export function listChangeTimes(
  { workspace }: Caller,
  { app, before, limit }: Pick<ChangePage, 'app' | 'before' | 'limit'>,
): Statement<Row<typeof timeColumns>[]> {
  return readRows(sql`
    SELECT ${timeColumns} FROM ${e} INDEXED BY events_by_credential
    WHERE ${e.ws} = ${workspace} AND ${e.credential} = ${app} AND ${e.seq} < ${before}
    ORDER BY ${e.seq} DESC LIMIT ${limit}`);
}

const changeColumns = selectColumns({
  seq: e.seq,
  type: withType<EventType>(e.type),
  task: e.task,
  entity: withType<number | null>(e.entity),
  changes: e.changes,
  replaced: e.replaced,
  occurred_at: e.occurred_at,
});
export type AppChange = Row<typeof changeColumns>;

/** Doesn't filter by `since`, so that a page never reads more than `limit` rows. */
function selectChangePage({ workspace }: Caller, { app, from, until, before, limit }: ChangePage): SQL {
  return sql`
    SELECT ${changeColumns} FROM ${e} INDEXED BY events_by_credential
    WHERE ${e.ws} = ${workspace} AND ${e.credential} = ${app} AND ${e.seq} >= ${from} AND ${e.seq} <= ${until}
      AND ${e.seq} < ${before}
    ORDER BY ${e.seq} DESC LIMIT ${limit}`;
}

export function listAppChanges(caller: Caller, page: ChangePage): Statement<AppChange[]> {
  return readRows(withType<AppChange>(selectChangePage(caller, page)) as SQL<AppChange>);
}

export function selectChangedTasks(caller: Caller, page: ChangePage): SQL {
  return sql`SELECT DISTINCT p.task FROM (${selectChangePage(caller, page)}) p WHERE p.task IS NOT NULL`;
}

export const ENTRIES_PER_TASK_MAX = 60;

const historyColumns = selectColumns({
  task: withType<number>(e.task),
  seq: e.seq,
  type: withType<EventType>(e.type),
  entity: withType<number | null>(e.entity),
  changes: e.changes,
  replaced: e.replaced,
  /** 1 if the app made this change within the range. */
  is_own: withType<0 | 1>(sql`e.is_own`),
  is_of_app: withType<0 | 1>(sql`e.is_of_app`),
  is_undo: withType<0 | 1>(sql`e.is_undo`),
  actor: withType<string | null>(m.name),
});
export type HistoryEntry = Row<typeof historyColumns>;

/**
 * Selects the changed tasks, and the tasks at the other end of changed relations, because other people may have changed
 * a relation from that end.
 */
function selectRelatedTasks(caller: Caller, page: ChangePage): SQL {
  const own = ['to', 'from'].map(
    (side) => sql`SELECT p.seq, p.changes ->> ${`$.relations.${side}.task.id`} AS task FROM part p`,
  );
  const several = ['to', 'from'].map(
    (side) => sql`
      SELECT p.seq, r.value ->> ${`$.${side}.task.id`} AS task
      FROM part p CROSS JOIN json_each(p.replaced, '$.relations') r`,
  );
  return sql`
    WITH part AS MATERIALIZED (${selectChangePage(caller, page)})
    SELECT p.seq, p.task FROM part p UNION ALL ${sql.join([...own, ...several], sql` UNION ALL `)}`;
}

/**
 * Lists the history entries of changed and related tasks, oldest first, starting with the page's first change. Includes
 * only the newest entries of each task.
 */
export function listTaskHistory(caller: Caller, page: ChangePage): Statement<HistoryEntry[]> {
  const { workspace } = caller;
  const { app, from, until, since } = page;
  return readRows(sql`
    SELECT ${historyColumns} FROM (
      SELECT ${e.task}, ${e.seq}, ${e.type}, ${e.entity}, ${e.changes}, ${e.replaced}, ${e.actor}, ${e.via},
        coalesce(${e.credential} = ${app} AND ${e.seq} BETWEEN ${from} AND ${until}
          AND ${e.occurred_at} >= ${since}, 0) AS is_own,
        coalesce(${e.credential} = ${app}, 0) AS is_of_app, coalesce(${e.undo_of} = ${app}, 0) AS is_undo
      FROM (SELECT p.task, min(min(p.seq)) OVER () AS start FROM (${selectRelatedTasks(caller, page)}) p GROUP BY p.task) i
      CROSS JOIN ${e} ON ${e.ws} = ${workspace} AND ${e.seq} IN (
        SELECT ${x.seq} FROM ${x} INDEXED BY events_by_task
        WHERE ${x.task} = i.task AND ${x.ws} = ${workspace} AND ${x.seq} >= i.start AND ${isAfterFirstEvent(x)}
        ORDER BY ${x.seq} DESC LIMIT ${ENTRIES_PER_TASK_MAX})
    ) e LEFT JOIN ${m} ON ${m.no} = e.actor AND e.via NOT IN ('system', 'form')
    ORDER BY ${e.seq}`);
}

const memberColumns = selectColumns({ id: am.user_id, no: am.no });

export function listChangedAssignees(
  caller: Caller,
  page: ChangePage,
): Statement<{ id: string; no: number }[]> {
  const named = (side: 'from' | 'to') =>
    sql`SELECT p.changes ->> ${`$.assignee.${side}.id`} FROM (${selectChangePage(caller, page)}) p`;
  const namedAmongOthers = (side: 'from' | 'to') =>
    sql`SELECT n.value ->> 'id' FROM (${selectChangePage(caller, page)}) p CROSS JOIN json_each(p.changes, ${`$.assignees.${side}`}) n`;
  return readRows(sql`
    SELECT ${memberColumns} FROM ${am}
    WHERE ${am.ws} = ${caller.workspace} AND ${am.user_id} IN (${named('from')} UNION ${named('to')}
      UNION ${namedAmongOthers('from')} UNION ${namedAmongOthers('to')})`);
}

const commentColumns = selectColumns({ id: c.id, task: c.task });
export type AppComment = Row<typeof commentColumns>;

export function listRemainingAppComments(caller: Caller, page: ChangePage): Statement<AppComment[]> {
  return readRows(sql`
    SELECT ${commentColumns} FROM ${c} NOT INDEXED
    WHERE ${c.ws} = ${caller.workspace} AND ${c.author} = (SELECT ${cr.member} FROM ${cr} WHERE ${cr.id} = ${page.app})
      AND ${c.id} IN (
      SELECT p.entity FROM (${selectChangePage(caller, page)}) p WHERE p.type IN ('comment.created', 'comment.updated'))`);
}

const parentColumns = selectColumns({ id: withType<number>(t.parent) });

/** Lists the tasks that the page's changes created and that have active subtasks from other people or sessions. */
export function listTasksWithOtherSubtasks(caller: Caller, page: ChangePage): Statement<{ id: number }[]> {
  const { app, from, until } = page;
  return readRows(sql`
    SELECT DISTINCT ${parentColumns}
    FROM ${t} INDEXED BY tasks_by_parent LEFT JOIN ${e} ON ${e.ws} = ${t.ws} AND ${e.seq} = ${t.first_event}
    WHERE ${t.parent} IN (SELECT p.task FROM (${selectChangePage(caller, page)}) p WHERE p.type IN ('task.created', 'task.duplicated'))
      AND ${t.ws} = ${caller.workspace} AND ${t.archived} = 0
      AND NOT coalesce(${e.credential} = ${app} AND ${e.seq} BETWEEN ${from} AND ${until}, 0)`);
}
