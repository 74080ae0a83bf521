import { deleteFiles, selectFileVersions } from '../../files/attachments/delete-files.queries.ts';
import { assertUnchanged, readNumber, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { comments } from '../../schema/cell/comments.ts';
import { bucketColumns, taskCounts } from '../../schema/cell/counters.ts';
import { importedTasks, imports } from '../../schema/cell/imports.ts';
import { meetings, meetingTasks } from '../../schema/cell/meetings.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { cardPositions, tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { sumBuckets } from '../../tasks/counters/bucket-sums.queries.ts';
import { subtractCommentCounts } from '../../tasks/counters/comment-counts.queries.ts';
import { subtractTaskCounts } from '../../tasks/counters/count-changes.queries.ts';
import { deleteProjectCounts, type ProjectKey } from '../../tasks/counters/repair.queries.ts';
import { deleteOtherAssignees } from '../../tasks/model/other-assignees.queries.ts';
import { isOpenTask } from '../../tasks/model/relations.queries.ts';
import { selectTasksFromSubquery } from '../../tasks/model/selection.queries.ts';
import {
  deleteSelectedComments,
  hasNoContents,
  selectRelationIds,
} from '../../tasks/removal/task-contents.queries.ts';
import { expireTrash } from '../../tasks/trash/expired-trash.queries.ts';

const a = aliasTable(attachments, 'a');
const c = aliasTable(comments, 'c');
const e = aliasTable(timeEntries, 'e');
const k = aliasTable(taskCounts, 'k');
const m = aliasTable(meetings, 'm');
const mt = aliasTable(meetingTasks, 'mt');
const b = aliasTable(tasks, 'b');
const p = aliasTable(projects, 'p');
const x = aliasTable(importedTasks, 'x');
const y = aliasTable(imports, 'y');
const r = aliasTable(taskRelations, 'r');
const t = aliasTable(tasks, 't');

/** Limits how many rows `hidePart` changes in one batch, so that the batch takes about 50 ms. */
interface PartLimits {
  readonly tasks: number;
  /** The limit for every other kind of row, such as comments. A task or meeting can have many of them. */
  readonly rows: number;
  readonly files: number;
}

const defaultPartLimits: PartLimits = { tasks: 500, rows: 1_000, files: 200 };

type ProjectPart = ProjectKey & PartLimits;

/** The total number of statements in `hidePart` and `finishHiding`. */
export const STATEMENTS_PER_PART = 37;

export function beginDeletions(which: SQL, now: number): Statement<void> {
  const held = sql`coalesce((
    SELECT ${sumBuckets([...bucketColumns.keys()])} FROM ${k}
    WHERE ${k.ws} = ${p.ws} AND ${k.member} = 0 AND ${k.project} = ${p.id}), 0)`;
  return write(sql`
    INSERT INTO ${nameInsertColumns(projectDeletions, 'project', 'ws', 'name', 'tasks', 'tasks_left', 'created_at')}
    SELECT ${p.id}, ${p.ws}, ${p.name}, ${held}, ${held}, ${now} FROM ${p} WHERE ${which}`);
}

export function beginDeletion({ ws, id }: ProjectKey, now: number): Statement<void>[] {
  return [beginDeletions(sql`${p.ws} = ${ws} AND ${p.id} = ${id}`, now), assertUnchanged(sql`changes() = 1`)];
}

/**
 * Deletes some of the project's rows in other tables. Hides some of its tasks by negating their workspace and project
 * numbers. `deleteSlice` deletes hidden tasks later, because their history can be long. The last statement returns
 * whether anything is left to hide.
 */
export function hidePart(
  project: ProjectKey,
  now: number,
  size = defaultPartLimits,
): [...Statement<void>[], Statement<number>] {
  const part = { ...project, ...size };
  return [
    ...deleteMeetings(part),
    ...deleteTimeEntries(part),
    ...deleteFiles(part.ws, selectFileIds(part), now),
    ...deleteComments(part),
    ...deleteRelations(part),
    ...deleteImports(part),
    ...hideTasks(part),
    readNumber(sql`SELECT ${hasRowsLeftToHide(project)} AS n`),
  ];
}

export function finishHiding(project: ProjectKey): Statement<void>[] {
  const { ws, id } = project;
  return [
    assertUnchanged(sql`NOT ${hasRowsLeftToHide(project)}`),
    ...deleteProjectCounts(project),
    expireTrash(id),
    write(sql`DELETE FROM ${projectMembers} WHERE ${projectMembers.project} = ${id}`),
    {
      ...write(sql`DELETE FROM ${projects} WHERE ${projects.ws} = ${ws} AND ${projects.id} = ${id}`),
      // The statement that logs an event sets this, but an earlier batch may have logged the deletion's event.
      changedWorkspace: ws,
    },
  ];
}

function selectTasksInPart({ ws, id, tasks: limit }: ProjectPart): SQL {
  return sql`(
    SELECT ${t.id} AS id FROM ${t} INDEXED BY tasks_by_project WHERE ${t.project} = ${id} AND ${t.ws} = ${ws}
    LIMIT ${limit})`;
}

/** Deletes imports before their rows in `imported_tasks`, because `imports.made` counts those rows. */
function deleteImports({ ws, id, rows }: ProjectPart): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${imports} WHERE ${imports.ws} = ${ws} AND ${imports.id} IN (
        SELECT ${y.id} FROM ${y} INDEXED BY imports_by_project WHERE ${y.project} = ${id} AND ${y.ws} = ${ws} LIMIT ${rows})`),
    write(sql`
      DELETE FROM ${importedTasks} WHERE ${importedTasks.ws} = ${ws} AND ${importedTasks.project} = ${id}
        AND (${importedTasks.source}, ${importedTasks.external_id}) IN (
          SELECT ${x.source}, ${x.external_id} FROM ${x} WHERE ${x.ws} = ${ws} AND ${x.project} = ${id} LIMIT ${rows})`),
  ];
}

function deleteMeetings({ ws, id, rows }: ProjectPart): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${meetingTasks} WHERE (${meetingTasks.meeting}, ${meetingTasks.occurrence}, ${meetingTasks.member}) IN (
        SELECT ${mt.meeting}, ${mt.occurrence}, ${mt.member} FROM ${m} INDEXED BY meetings_of_project
        CROSS JOIN ${mt} ON ${mt.meeting} = ${m.id}
        WHERE ${m.project} = ${id} AND ${m.ws} = ${ws} LIMIT ${rows})`),
    write(sql`
      DELETE FROM ${meetings} WHERE ${meetings.id} IN (
        SELECT ${m.id} FROM ${m} INDEXED BY meetings_of_project WHERE ${m.project} = ${id} AND ${m.ws} = ${ws}
        AND NOT EXISTS (SELECT 1 FROM ${mt} WHERE ${mt.meeting} = ${m.id}) LIMIT ${rows})`),
  ];
}

function deleteTimeEntries(part: ProjectPart): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${timeEntries} WHERE ${timeEntries.id} IN (
        SELECT ${e.id} FROM ${selectTasksInPart(part)} s CROSS JOIN ${e} INDEXED BY time_entries_by_task ON ${e.task} = s.id
        LIMIT ${part.rows})`),
  ];
}

function selectFileIds(part: ProjectPart): SQL {
  const first = sql`
    SELECT coalesce(${a.parent}, ${a.id}) AS id FROM ${selectTasksInPart(part)} s
    CROSS JOIN ${a} INDEXED BY attachments_by_task ON ${a.task} = s.id AND ${a.task} IS NOT NULL AND ${a.latest} = 1
    UNION ALL
    SELECT coalesce(${a.parent}, ${a.id}) FROM ${a} INDEXED BY attachments_by_project
    WHERE ${a.project} = ${part.id} AND ${a.project} IS NOT NULL AND ${a.latest} = 1
    LIMIT ${part.files}`;
  return selectFileVersions(first);
}

function deleteComments(part: ProjectPart): Statement<void>[] {
  const commentIds = sql`
    SELECT ${c.id} AS id FROM ${selectTasksInPart(part)} s
    CROSS JOIN ${c} INDEXED BY comments_by_task ON ${c.task} = s.id LIMIT ${part.rows}`;
  return [
    subtractCommentCounts(sql`(${commentIds})`),
    write(sql`
      UPDATE ${tasks} SET ${tasks.comment_count} = ${tasks.comment_count} - gone.amount
      FROM (SELECT ${c.task} AS id, count(*) AS amount FROM ${c} WHERE ${c.id} IN (${commentIds}) GROUP BY ${c.task}) gone
      WHERE ${tasks}.id = gone.id`),
    ...deleteSelectedComments(part.ws, commentIds),
  ];
}

function deleteRelations(part: ProjectPart): Statement<void>[] {
  const selectBySide = (side: 'source' | 'target') =>
    selectRelationIds(part.ws, selectTasksInPart(part), side);
  const ids = sql`(${selectBySide('source')} UNION ALL ${selectBySide('target')} LIMIT ${part.rows})`;
  return [
    write(sql`
      UPDATE ${tasks} SET ${tasks.open_blockers} = ${tasks.open_blockers} - gone.blockers
      FROM (SELECT ${r.target} AS id, count(*) AS blockers FROM ${r} CROSS JOIN ${b} ON ${b.id} = ${r.source}
        WHERE ${r.id} IN ${ids} AND ${r.type} = 'blocks' AND ${isOpenTask(b)} GROUP BY ${r.target}) gone
      WHERE ${tasks}.id = gone.id`),
    write(sql`DELETE FROM ${taskRelations} WHERE ${taskRelations.id} IN ${ids}`),
  ];
}

function hideTasks(part: ProjectPart): Statement<void>[] {
  const ids = sql`
    SELECT s.id FROM ${selectTasksInPart(part)} s
    WHERE ${hasNoContents(sql`s.id`)}
      AND NOT EXISTS (SELECT 1 FROM ${r} INDEXED BY task_relations_by_source
        WHERE ${r.ws} = ${part.ws} AND ${r.source} = s.id)
      AND NOT EXISTS (SELECT 1 FROM ${r} INDEXED BY task_relations_by_target
        WHERE ${r.ws} = ${part.ws} AND ${r.target} = s.id)
      AND NOT ${hasMeetings(part)}`;
  return [
    ...subtractTaskCounts(part.ws, selectTasksFromSubquery(ids)),
    write(sql`DELETE FROM ${cardPositions} WHERE ${cardPositions.task} IN (${ids})`),
    deleteOtherAssignees(part.ws, ids),
    write(sql`
      UPDATE ${tasks} SET ${tasks.ws} = -${tasks.ws}, ${tasks.project} = -${tasks.project}, ${tasks.assignee} = 0,
        ${tasks.other_assignees} = '[]'
      WHERE ${tasks.id} IN (${ids})`),
  ];
}

/** No task is hidden while the project has meetings, because some tasks belong to them. */
function hasMeetings({ ws, id }: ProjectKey): SQL {
  return sql`EXISTS (SELECT 1 FROM ${m} INDEXED BY meetings_of_project WHERE ${m.project} = ${id} AND ${m.ws} = ${ws})`;
}

function hasRowsLeftToHide(project: ProjectKey): SQL {
  const { ws, id } = project;
  return sql`(
    EXISTS (SELECT 1 FROM ${t} INDEXED BY tasks_by_project WHERE ${t.project} = ${id} AND ${t.ws} = ${ws})
    OR EXISTS (SELECT 1 FROM ${a} INDEXED BY attachments_by_project
      WHERE ${a.project} = ${id} AND ${a.project} IS NOT NULL AND ${a.ws} = ${ws})
    OR ${hasMeetings(project)}
    OR EXISTS (SELECT 1 FROM ${x} WHERE ${x.ws} = ${ws} AND ${x.project} = ${id})
    OR EXISTS (SELECT 1 FROM ${y} INDEXED BY imports_by_project WHERE ${y.project} = ${id} AND ${y.ws} = ${ws}))`;
}
