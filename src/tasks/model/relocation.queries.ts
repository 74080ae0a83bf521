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
import { buildValueLookup } from './new-values.queries.ts';
import { buildAssigneeList } from './other-assignees.queries.ts';
import { buildSelectionFromClause, selectIds, type TaskSelection } from './selection.queries.ts';
import { selectLastSubtaskPosition } from './subtasks.queries.ts';

const am = aliasTable(activeMembers, 'am');
const fm = aliasTable(members, 'fm');
const t = aliasTable(tasks, 't');

export interface RelocatedTrees {
  /** Each root's descendants stay below it. */
  readonly roots: readonly number[];
  /** The root of each task, by task id. Includes the roots themselves. */
  readonly rootOf: ReadonlyMap<number, number>;
  readonly selection: TaskSelection;
}

/** The new parents of the roots that get one. The other roots have no parent afterwards. */
export type NewParents = ReadonlyMap<number, number>;

const selectTaskIds = (trees: RelocatedTrees) => selectIds(trees.selection);
const isRoot = (t: TaskAlias, { roots }: RelocatedTrees) =>
  sql`${t.id} IN (SELECT value FROM json_each(${JSON.stringify(roots)}))`;

function updateTrees(
  { caller, now }: WriteContext,
  trees: RelocatedTrees,
  { parents, set, isStored }: { parents: NewParents; set: readonly SQL[]; isStored: SQL },
): Statement<void> {
  const { parent, place } = buildNewPlaces(trees, parents);
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${sql.join([...set], sql`, `)},
      ${tasks.parent} = iif(${isRoot(t, trees)}, ${parent}, ${t.parent}),
      ${tasks.parent_place} = iif(${isRoot(t, trees)}, ${place}, ${t.parent_place}),
      ${tasks.activity_count} = ${tasks.activity_count} + 1,
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now}), ${tasks.version} = ${tasks.version} + 1
    WHERE ${t.id} IN (SELECT value FROM json_each(${JSON.stringify([...trees.rootOf.keys()])})) AND ${isStored}
      AND abs(${t.ws}) = ${caller.workspace}`);
}

/** Roots with the same new parent become its last subtasks, in their order in `roots`. */
function buildNewPlaces({ roots }: RelocatedTrees, parents: NewParents): { parent: SQL; place: SQL } {
  if (parents.size === 0) return { parent: sql`NULL`, place: sql`0` };
  const parent = buildValueLookup(t.id, [...parents]);
  const order = buildValueLookup(
    t.id,
    roots.map((root, index) => [root, index + 1]),
  );
  return { parent, place: sql`iif(${parent} IS NULL, 0, ${selectLastSubtaskPosition(parent)} + ${order})` };
}

function selectRemainingFollowers(t: TaskAlias, project: SQL): SQL {
  return sql`(
    SELECT json_group_array(l.value ORDER BY l.value) FROM json_each(${t.followers}) l CROSS JOIN ${fm} ON ${fm.no} = l.value
    WHERE l.value = abs(${t.assignee}) OR EXISTS (SELECT 1 FROM json_each(${t.other_assignees}) n WHERE n.value = l.value)
      OR ${canReachProject(fm, 'seeTasks', project)})`;
}

/** Each root's new project. */
export type NewProjects = ReadonlyMap<number, number>;

function selectNewProject(t: TaskAlias, { rootOf }: RelocatedTrees, projects: NewProjects): SQL {
  const [first = 0, ...others] = new Set(projects.values());
  if (others.length === 0) return sql`CAST(${first} AS INTEGER)`;
  return buildValueLookup(
    t.id,
    [...rootOf].map(([id, root]) => [id, projects.get(root)]),
  );
}

export function moveTasks(
  ctx: WriteContext,
  trees: RelocatedTrees,
  { projects, parents }: { projects: NewProjects; parents: NewParents },
): Statement<void> {
  const target = selectNewProject(t, trees, projects);
  const set = [
    sql`${tasks.project} = ${target}`,
    sql`${tasks.followers} = ${selectRemainingFollowers(t, target)}`,
  ];
  return updateTrees(ctx, trees, { parents, set, isStored: sql`${t.ws} > 0` });
}

/**
 * Negates the numbers of the workspace, project and assignee. Only queries for deleted tasks find negative numbers,
 * so the tasks are hidden everywhere else (docs/adr/0056).
 */
export function hideTasks(ctx: WriteContext, trees: RelocatedTrees): Statement<void> {
  const set = (['ws', 'project', 'assignee'] as const).map(
    (column) => sql`${tasks[column]} = -${tasks[column]}`,
  );
  return updateTrees(ctx, trees, { parents: new Map(), set, isStored: sql`${t.ws} > 0` });
}

/**
 * Removes assignees who left the workspace while the tasks were deleted, but only from open tasks. If the
 * tasks were archived with an ancestor of the root, they now count as archived with the root.
 */
export function showTasks(ctx: WriteContext, trees: RelocatedTrees, parents: NewParents): Statement<void> {
  const kept = sql`(
    SELECT json_group_array(n.value ORDER BY n.key) FROM json_each(${buildAssigneeList(sql`-${t.assignee}`, t.other_assignees)}) n
    WHERE n.value > 0 AND (${t.archived} = 1 OR ${t.status} = ${completedStatus}
      OR EXISTS (SELECT 1 FROM ${am} WHERE ${am.no} = n.value)))`;
  const selectRoot = (id: SQL) => buildValueLookup(id, [...trees.rootOf]);
  const set = [
    sql`${tasks.ws} = -${tasks.ws}`,
    sql`${tasks.project} = -${tasks.project}`,
    sql`${tasks.assignee} = coalesce(${kept} ->> 0, 0)`,
    sql`${tasks.other_assignees} = json_remove(${kept}, '$[0]')`,
    sql`${tasks.followers} = ${selectRemainingFollowers(t, sql`-${t.project}`)}`,
    sql`${tasks.hours} = ${buildEffectiveHours(t).hours}`,
    sql`${tasks.archived_with} = iif(${t.archived_with} IS NULL OR ${selectRoot(t.archived_with)} IS ${selectRoot(t.id)},
      ${t.archived_with}, nullif(${selectRoot(t.id)}, ${t.id}))`,
  ];
  return updateTrees(ctx, trees, { parents, set, isStored: sql`${t.ws} < 0` });
}

/** Must run before the tasks leave their project. */
export function deleteFollowers(trees: RelocatedTrees): Statement<void> {
  return write(sql`
    DELETE FROM ${followers} WHERE (${followers.member}, ${followers.project}, ${followers.task}) IN (
      SELECT f.value, ${t.project}, ${t.id}
      FROM (SELECT ${t.id}, ${t.project}, ${t.followers} FROM ${buildSelectionFromClause(t, trees.selection)}) t
      CROSS JOIN json_each(${t.followers}) f)`);
}

export function deleteCardPositions(trees: RelocatedTrees): Statement<void> {
  return write(sql`DELETE FROM ${cardPositions} WHERE ${cardPositions.task} IN (${selectTaskIds(trees)})`);
}

interface TreeEvent {
  readonly type: EventType;
  readonly project?: SQL;
  readonly changes: SQL;
  /** False if another event in the batch creates the task's history entry. */
  readonly isInHistory?: boolean;
}

function selectTreeEvents(
  { selection }: RelocatedTrees,
  { type, project = t.project, changes, isInHistory = true }: TreeEvent,
): SQL {
  return sql`
    SELECT ${type} AS type, ${project} AS project, ${t.id} AS task, NULL AS entity, NULL AS reader,
      ${selection(t).position} AS position, ${changes} AS changes, ${isInHistory ? sql`1` : sql`0`} AS entries
    FROM ${buildSelectionFromClause(t, selection)}`;
}

export function selectRestorationEvents(trees: RelocatedTrees): SQL {
  return selectTreeEvents(trees, { type: 'task.restored', changes: sql`'{}'` });
}

/**
 * One event per task in both projects, because some people can see only one of them. The task's history shows only the
 * event in the new project. Must run before the tasks are moved.
 */
export function selectMoveEvents(
  trees: RelocatedTrees,
  { projects, parents }: { projects: NewProjects; parents: NewParents },
): readonly SQL[] {
  const target = selectNewProject(t, trees, projects);
  const { parent } = buildNewPlaces(trees, parents);
  const project = sql`'project', json_object('from', ${buildReference(t.project)}, 'to', ${buildReference(target)})`;
  const parentChange = sql`'parent', json_object('from', ${buildReference(t.parent)}, 'to', ${buildReference(parent)})`;
  const changes = sql`iif(${isRoot(t, trees)} AND ${t.parent} IS NOT ${parent},
    json_object(${project}, ${parentChange}), json_object(${project}))`;
  return [
    selectTreeEvents(trees, { type: 'task.moved', changes, isInHistory: false }),
    selectTreeEvents(trees, { type: 'task.moved', changes, project: target }),
  ];
}

const buildReference = (id: SQL) => sql`json(iif(${id} IS NULL, NULL, json_object('id', ${id})))`;

/** Includes each task's name, because a deleted task can't be read later. Must run before the tasks are hidden. */
export function selectDeletionEvents(trees: RelocatedTrees): SQL {
  const changes = sql`json_object('name', json_object('from', ${t.name}))`;
  return selectTreeEvents(trees, { type: 'task.deleted', changes });
}
