import type { EventType } from '../../events/log/event-types.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { cardPositions, followers, tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { completedStatus } from '../statuses.queries.ts';
import { canReachProject } from '../visibility/project-visibility.queries.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';
import { buildEffectiveHours } from './change.queries.ts';
import { buildAssigneeList } from './other-assignees.queries.ts';
import { buildSelectionFromClause, selectIds, type TaskSelection } from './selection.queries.ts';
import { selectLastSubtaskPosition } from './subtasks.queries.ts';

const am = aliasTable(activeMembers, 'am');
const fm = aliasTable(members, 'fm');
const t = aliasTable(tasks, 't');

export interface RelocatedTree {
  readonly root: number;
  readonly ids: readonly number[];
  readonly selection: TaskSelection;
}

interface NewParent {
  readonly parent: number | null;
}

const selectTaskIds = (tree: RelocatedTree) => selectIds(tree.selection);

function updateTree(
  { caller, now }: WriteContext,
  tree: RelocatedTree,
  { parent, set, isStored }: NewParent & { set: readonly SQL[]; isStored: SQL },
): Statement<void> {
  const isRoot = sql`${t.id} = ${tree.root}`;
  const place = parent === null ? sql`0` : sql`${selectLastSubtaskPosition(sql`${parent}`)} + 1`;
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${sql.join([...set], sql`, `)},
      ${tasks.parent} = iif(${isRoot}, CAST(${parent} AS INTEGER), ${t.parent}),
      ${tasks.parent_place} = iif(${isRoot}, ${place}, ${t.parent_place}),
      ${tasks.activity_count} = ${tasks.activity_count} + 1,
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now}), ${tasks.version} = ${tasks.version} + 1
    WHERE ${t.id} IN (SELECT value FROM json_each(${JSON.stringify(tree.ids)})) AND ${isStored}
      AND abs(${t.ws}) = ${caller.workspace}`);
}

function selectRemainingFollowers(t: TaskAlias, project: SQL): SQL {
  return sql`(
    SELECT json_group_array(l.value ORDER BY l.value) FROM json_each(${t.followers}) l CROSS JOIN ${fm} ON ${fm.no} = l.value
    WHERE l.value = abs(${t.assignee}) OR EXISTS (SELECT 1 FROM json_each(${t.other_assignees}) n WHERE n.value = l.value)
      OR ${canReachProject(fm, 'seeTasks', project)})`;
}

export function moveTasks(
  ctx: WriteContext,
  tree: RelocatedTree,
  project: number,
  newParent: NewParent,
): Statement<void> {
  const target = sql`CAST(${project} AS INTEGER)`;
  const set = [
    sql`${tasks.project} = ${target}`,
    sql`${tasks.followers} = ${selectRemainingFollowers(t, target)}`,
  ];
  return updateTree(ctx, tree, { ...newParent, set, isStored: sql`${t.ws} > 0` });
}

/**
 * Negates the numbers of the workspace, project and assignee. Only queries for deleted tasks find negative numbers,
 * so the tasks are hidden everywhere else (docs/adr/0056).
 */
export function hideTasks(ctx: WriteContext, tree: RelocatedTree): Statement<void> {
  const set = (['ws', 'project', 'assignee'] as const).map(
    (column) => sql`${tasks[column]} = -${tasks[column]}`,
  );
  return updateTree(ctx, tree, { parent: null, set, isStored: sql`${t.ws} > 0` });
}

/**
 * Removes assignees who left the workspace while the tasks were deleted, but only from open tasks. If the
 * tasks were archived with an ancestor of the root, they now count as archived with the root.
 */
export function showTasks(ctx: WriteContext, tree: RelocatedTree, newParent: NewParent): Statement<void> {
  const kept = sql`(
    SELECT json_group_array(n.value ORDER BY n.key) FROM json_each(${buildAssigneeList(sql`-${t.assignee}`, t.other_assignees)}) n
    WHERE n.value > 0 AND (${t.archived} = 1 OR ${t.status} = ${completedStatus}
      OR EXISTS (SELECT 1 FROM ${am} WHERE ${am.no} = n.value)))`;
  const ids = JSON.stringify(tree.ids);
  const archivedWith = sql`iif(${t.id} = ${tree.root}, NULL, ${tree.root})`;
  const set = [
    sql`${tasks.ws} = -${tasks.ws}`,
    sql`${tasks.project} = -${tasks.project}`,
    sql`${tasks.assignee} = coalesce(${kept} ->> 0, 0)`,
    sql`${tasks.other_assignees} = json_remove(${kept}, '$[0]')`,
    sql`${tasks.followers} = ${selectRemainingFollowers(t, sql`-${t.project}`)}`,
    sql`${tasks.hours} = ${buildEffectiveHours(t).hours}`,
    sql`${tasks.archived_with} = iif(${t.archived_with} IS NULL OR ${t.archived_with} IN (SELECT value FROM json_each(${ids})),
      ${t.archived_with}, CAST(${archivedWith} AS INTEGER))`,
  ];
  return updateTree(ctx, tree, { ...newParent, set, isStored: sql`${t.ws} < 0` });
}

/** Must run before the tasks leave their project. */
export function deleteFollowers(tree: RelocatedTree): Statement<void> {
  return write(sql`
    DELETE FROM ${followers} WHERE (${followers.member}, ${followers.project}, ${followers.task}) IN (
      SELECT f.value, ${t.project}, ${t.id}
      FROM (SELECT ${t.id}, ${t.project}, ${t.followers} FROM ${buildSelectionFromClause(t, tree.selection)}) t
      CROSS JOIN json_each(${t.followers}) f)`);
}

export function deleteCardPositions(tree: RelocatedTree): Statement<void> {
  return write(sql`DELETE FROM ${cardPositions} WHERE ${cardPositions.task} IN (${selectTaskIds(tree)})`);
}

interface TreeEvent {
  readonly type: EventType;
  readonly project?: number;
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Changed fields that only the root task's event contains. */
  readonly rootChanges?: Readonly<Record<string, unknown>>;
  /** False if another event in the batch creates the task's history entry. */
  readonly isInHistory?: boolean;
}

export function selectTreeEvents(
  tree: RelocatedTree,
  { type, project, changes = {}, rootChanges = {}, isInHistory = true }: TreeEvent,
): SQL {
  const place = project === undefined ? t.project : sql`CAST(${project} AS INTEGER)`;
  const all = JSON.stringify({ ...changes, ...rootChanges });
  return sql`
    SELECT ${type} AS type, ${place} AS project, ${t.id} AS task, NULL AS entity, NULL AS reader,
      ${tree.selection(t).position} AS position,
      iif(${t.id} = ${tree.root}, ${all}, ${JSON.stringify(changes)}) AS changes, ${isInHistory ? sql`1` : sql`0`} AS entries
    FROM ${buildSelectionFromClause(t, tree.selection)}`;
}

/** Includes each task's name, because a deleted task can't be read later. Must run before the tasks are hidden. */
export function selectDeletionEvents(tree: RelocatedTree): SQL {
  return sql`
    SELECT 'task.deleted' AS type, ${t.project} AS project, ${t.id} AS task, NULL AS entity, NULL AS reader,
      ${tree.selection(t).position} AS position,
      json_object('name', json_object('from', ${t.name})) AS changes, 1 AS entries
    FROM ${buildSelectionFromClause(t, tree.selection)}`;
}
