import { deleteFiles, selectFileVersions } from '../../files/attachments/delete-files.queries.ts';
import {
  assertUnchanged,
  buildInList,
  readNumber,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import {
  deleteHiddenNotifications,
  hideNotifications,
  selectLastMemberInBatch,
} from '../../notifications/inbox/hide-notifications.queries.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { comments } from '../../schema/cell/comments.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { outdatedComments, trash } from '../../schema/cell/trash.ts';
import { selectTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { removeTasks, STATEMENTS_PER_REMOVAL, selectRemovedTasks } from '../removal/remove-tasks.queries.ts';
import {
  deleteSelectedComments,
  hasNoContents,
  selectRelationIds,
} from '../removal/task-contents.queries.ts';

const a = aliasTable(attachments, 'a');
const c = aliasTable(comments, 'c');
const child = aliasTable(tasks, 'child');
const d = aliasTable(trash, 'd');
const e = aliasTable(timeEntries, 'e');
const t = aliasTable(tasks, 't');

export function expireTrash(project: number): Statement<void> {
  return write(sql`UPDATE ${trash} SET ${trash.deleted_at} = 0 WHERE ${trash.project} = ${project}`);
}

const entryColumns = selectColumns({ task: d.task, ws: d.ws, hidden_up_to: d.hidden_up_to });
export type TrashEntry = Row<typeof entryColumns>;

export function hasTrashToClean(deletedUntil: number): SQL {
  return sql`(EXISTS (SELECT 1 FROM ${d} INDEXED BY trash_by_time WHERE ${d.deleted_at} <= ${deletedUntil})
    OR EXISTS (SELECT 1 FROM ${d} INDEXED BY trash_unfinished WHERE ${d.hidden_up_to} IS NOT NULL))`;
}

export function listExpiredTrash(deletedUntil: number, limit: number): Statement<TrashEntry[]> {
  return readRows(sql`
    SELECT ${entryColumns} FROM ${d} INDEXED BY trash_by_time WHERE ${d.deleted_at} <= ${deletedUntil}
    ORDER BY ${d.deleted_at}, ${d.task} LIMIT ${limit}`);
}

export function listProjectTrash(project: number, limit: number): Statement<TrashEntry[]> {
  return readRows(sql`
    SELECT ${entryColumns} FROM ${d} INDEXED BY trash_by_project WHERE ${d.project} = ${project}
    ORDER BY ${d.task} LIMIT ${limit}`);
}

export function listTrashWithVisibleNotifications(limit: number): Statement<TrashEntry[]> {
  return readRows(sql`
    SELECT ${entryColumns} FROM ${d} INDEXED BY trash_unfinished WHERE ${d.hidden_up_to} IS NOT NULL LIMIT ${limit}`);
}

export const STATEMENTS_PER_HIDING = 4;

/** Tasks whose notifications are hidden from the same people. Tasks that were deleted together start this way. */
interface HiddenTasks {
  ws: number;
  /** The last member whose notifications are hidden. */
  after: number;
  ids: readonly number[];
}

export function groupByHiding(entries: readonly TrashEntry[]): HiddenTasks[] {
  const groups = Map.groupBy(entries, ({ ws, hidden_up_to }) => `${ws} ${hidden_up_to}`);
  return [...groups.values()].flatMap((group) => {
    const [{ ws, hidden_up_to: after } = { ws: 0, hidden_up_to: null }] = group;
    return after === null ? [] : [{ ws, after, ids: group.map(({ task }) => task) }];
  });
}

/**
 * Hides the tasks' notifications for the next slice of people. Aborts the batch if another run has already hidden them.
 */
export function hideMoreNotifications({ ws, after, ids }: HiddenTasks): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${trash} NOT INDEXED SET ${trash.hidden_up_to} = ${selectLastMemberInBatch(ws, after)}
      WHERE ${trash.task} IN ${buildInList(ids)} AND ${trash.hidden_up_to} = ${after}`),
    assertUnchanged(sql`changes() = ${ids.length}`),
    ...hideNotifications(ws, sql`SELECT s.id FROM (${selectTreeMembers(ids)}) s`, {
      after,
      upTo: sql`(SELECT ${d.hidden_up_to} FROM ${d} WHERE ${d.task} = ${ids[0] ?? 0})`,
    }),
  ];
}

const TASKS_PER_SLICE = 100;
/** A task can have any number of comments and time entries, so each slice deletes at most this many of each. */
const ROWS_PER_SLICE = 1_000;
const FILES_PER_SLICE = 200;

export const STATEMENTS_PER_TRASH_SLICE = STATEMENTS_PER_REMOVAL + 14;

/** Selects the deepest tasks first, so that the rest of the tree stays connected to its root. */
function selectTrashSlice(root: number): SQL {
  return sql`
    SELECT s.id FROM (${selectTreeMembers([root])} ORDER BY 2 DESC, 1 LIMIT ${TASKS_PER_SLICE}) s`;
}

const countRows = (query: SQL) => readNumber(sql`SELECT count(*) AS n FROM (${query})`);

export function removeTrashSlice({ task: root, ws }: TrashEntry, now: number) {
  const ids = selectTrashSlice(root);
  const commentIds = sql`SELECT ${c.id} AS id FROM ${c} INDEXED BY comments_by_task WHERE ${c.task} IN (${ids}) LIMIT ${ROWS_PER_SLICE}`;
  const timeEntryIds = sql`SELECT ${e.id} AS id FROM ${e} INDEXED BY time_entries_by_task WHERE ${e.task} IN (${ids}) LIMIT ${ROWS_PER_SLICE}`;
  const files = sql`
    SELECT coalesce(${a.parent}, ${a.id}) AS id FROM ${a} INDEXED BY attachments_by_task
    WHERE ${a.task} IN (${ids}) AND ${a.task} IS NOT NULL AND ${a.latest} = 1 LIMIT ${FILES_PER_SLICE}`;
  const selectRelations = (side: 'source' | 'target') => selectRelationIds(ws, sql`(${ids})`, side);
  const isEmpty = sql`
    NOT EXISTS (SELECT 1 FROM ${child} INDEXED BY tasks_by_parent WHERE ${child.parent} = ${t.id})
    AND ${hasNoContents(t.id)}`;
  const slice = selectRemovedTasks(
    sql`${t} NOT INDEXED WHERE ${t.id} IN (${ids}) AND ${t.ws} = ${-ws} AND ${isEmpty}`,
  );
  const contents = [
    ...deleteSelectedComments(ws, commentIds),
    write(sql`DELETE FROM ${timeEntries} WHERE ${timeEntries.id} IN (${timeEntryIds})`),
    ...deleteFiles(ws, selectFileVersions(files), now),
    ...deleteHiddenNotifications(ws, ids),
    write(
      sql`DELETE FROM ${taskRelations} WHERE ${taskRelations.id} IN (${selectRelations('source')} UNION ${selectRelations('target')})`,
    ),
    write(sql`DELETE FROM ${outdatedComments} WHERE ${outdatedComments.task} IN (${ids})`),
  ];
  return {
    comments: countRows(commentIds),
    timeEntries: countRows(timeEntryIds),
    files: countRows(files),
    contents,
    ...removeTasks(ws, slice),
    end: write(sql`DELETE FROM ${trash} WHERE ${trash.task} = ${root}
      AND NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${root})`),
  };
}
