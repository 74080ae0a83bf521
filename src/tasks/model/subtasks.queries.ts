import type { Caller } from '../../kernel/access/access.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasLeftJoinedTable, aliasTable, type SQL, sql, withType } from '../../kernel/sql/sql.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { completedStatus } from '../statuses.queries.ts';
import { hasJoinedProject } from '../visibility/project-visibility.queries.ts';
import { isTaskVisible, seesEveryTask, type TaskAlias } from '../visibility/task-visibility.queries.ts';
import { type NewValues, resolveValues } from './new-values.queries.ts';
import { isBlocked } from './relations.queries.ts';
import { buildSelectionFromClause, type TaskSelection } from './selection.queries.ts';

const c = aliasTable(tasks, 'c');
const f = aliasTable(followers, 'pf');
const h = aliasTable(tasks, 'h');
const s = aliasTable(tasks, 's');
const sp = aliasLeftJoinedTable(tasks, 'sp');
const t = aliasTable(tasks, 't');

export function selectLastSubtaskPosition(parent: SQL): SQL {
  return sql`coalesce((
    SELECT max(${s.parent_place}) FROM ${s} INDEXED BY tasks_by_parent WHERE ${s.parent} = ${parent}), 0)`;
}

type CountedValues = Readonly<Record<'parent' | 'archived' | 'status', SQL>>;

function selectSubtaskCounts(
  selection: TaskSelection,
  { parent, archived, status }: CountedValues,
  sign: '' | '-',
) {
  const isCounted = sql`(${archived} = 0)`;
  const isCompleted = sql`(${archived} = 0 AND ${status} = ${completedStatus})`;
  const signed = sql.raw(sign);
  return sql`SELECT ${parent} AS parent, ${signed}${isCounted} AS total, ${signed}${isCompleted} AS completed
    FROM ${buildSelectionFromClause(t, selection)}`;
}

function addCountsToParents(ws: number, shares: readonly SQL[]): Statement<void> {
  return write(sql`
    UPDATE ${tasks} NOT INDEXED SET ${tasks.subtask_count} = ${tasks.subtask_count} + d.total,
      ${tasks.subtasks_completed} = ${tasks.subtasks_completed} + d.completed
    FROM (SELECT parent, sum(total) AS total, sum(completed) AS completed
      FROM (${sql.join([...shares], sql` UNION ALL `)}) WHERE parent IS NOT NULL GROUP BY parent) d
    WHERE ${tasks}.id = d.parent AND ${tasks}.ws = ${ws} AND (d.total <> 0 OR d.completed <> 0)`);
}

export function countNewSubtasks(ws: number, selection: TaskSelection): Statement<void> {
  return addCountsToParents(ws, [selectSubtaskCounts(selection, t, '')]);
}

/** Must run before the batch removes the tasks from their parents. */
export function subtractSubtaskCounts(ws: number, selection: TaskSelection): Statement<void> {
  return addCountsToParents(ws, [selectSubtaskCounts(selection, t, '-')]);
}

/**
 * Must run before the tasks change, because it reads their old values.
 * @param created tasks that the batch has just inserted.
 */
export function updateSubtaskCounts(
  ws: number,
  selection: TaskSelection,
  changes: NewValues,
  created?: TaskSelection,
): Statement<void> {
  const { parent = t.parent, archived = t.archived, status = t.status } = resolveValues(t, changes);
  const after = { parent: sql`${parent}`, archived: sql`${archived}`, status: sql`${status}` };
  const added = created ? [selectSubtaskCounts(created, t, '')] : [];
  return addCountsToParents(ws, [
    selectSubtaskCounts(selection, t, '-'),
    selectSubtaskCounts(selection, after, ''),
    ...added,
  ]);
}

export function affectsSubtaskCounts({ parent, archived, status }: NewValues): boolean {
  return parent !== undefined || archived !== undefined || status !== undefined;
}

/** Someone who can see a task but not its project may see only some of its subtasks, so only those are counted. */
function countVisibleSubtasks(
  t: TaskAlias,
  caller: Caller,
  stored: SQL<unknown>,
  isCounted: SQL,
): SQL<number> {
  if (seesEveryTask(caller)) return withType(stored);
  return withType(sql`iif(${t.subtask_count} = 0 OR ${hasJoinedProject(caller, sql`${t.project}`)}, ${stored}, (
    SELECT count(*) FROM ${c} INDEXED BY tasks_by_parent
    WHERE ${c.parent} = ${t.id} AND ${isCounted} AND ${isTaskVisible(c, caller)}))`);
}

/** Builds the columns for `expand=structure`. The statement must also contain `joinParent`. */
export function buildStructureColumns(t: TaskAlias, caller: Caller) {
  const isUnarchived = sql`${c.archived} = 0`;
  return {
    parent_id: sp.id,
    parent_name: sp.name,
    subtasks: countVisibleSubtasks(t, caller, t.subtask_count, isUnarchived),
    subtasks_completed: countVisibleSubtasks(
      t,
      caller,
      t.subtasks_completed,
      sql`${isUnarchived} AND ${c.status} = ${completedStatus}`,
    ),
    checklist_total: withType<number>(t.checklist_total),
    checklist_done: withType<number>(t.checklist_done),
    repeats: withType<number>(t.repeats),
    is_blocked: isBlocked(t, caller),
  };
}

export type StructureRow = RowFromColumns<ReturnType<typeof buildStructureColumns>>;
type RowFromColumns<C> = { [K in keyof C]: C[K] extends SQL<infer T> ? T : never };

export function joinParent(t: TaskAlias, caller: Caller): SQL {
  return sql`LEFT JOIN ${sp} ON ${sp.id} = ${t.parent} AND ${isTaskVisible(sp, caller)}`;
}

/**
 * Also true if the caller can't see the parent, so that the parent stays hidden. A caller who can't see every task
 * sees the parent if it is in one of their projects, or if they follow it, as assignees do.
 */
export function hasNoVisibleParent(t: TaskAlias, caller: Caller): SQL {
  if (seesEveryTask(caller)) return sql`${t.parent} IS NULL`;
  const { member } = caller;
  return sql`(${t.parent} IS NULL OR NOT (${hasJoinedProject(caller, sql`${t.project}`)} OR EXISTS (
    SELECT 1 FROM ${f} WHERE ${f.member} = ${member} AND ${f.project} = ${t.project} AND ${f.task} = ${t.parent})))`;
}

export function isParentHidden(t: TaskAlias, caller: Caller): SQL<number> {
  if (seesEveryTask(caller)) return withType(sql`0`);
  return withType(sql`(${t.parent} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${h} WHERE ${h.id} = ${t.parent} AND ${isTaskVisible(h, caller)}))`);
}

export function moveSubtasks(
  ws: number,
  places: readonly (readonly [id: number, place: number])[],
): Statement<void> {
  return write(sql`
    UPDATE ${tasks} NOT INDEXED SET ${tasks.parent_place} = d.value ->> 1 FROM json_each(${JSON.stringify(places)}) d
    WHERE ${tasks}.id = d.value ->> 0 AND ${tasks}.ws = ${ws}`);
}
