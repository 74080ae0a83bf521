// This file is long because the statements that read tasks share their columns.
import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
  readRows,
  type Statement,
} from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Columns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withRowType,
  withType,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { recurrences } from '../../schema/cell/recurrences.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { selectPersonNames } from '../custom-fields/custom-fields.queries.ts';
import { type FieldColumn, fieldColumns, listPlainColumns } from '../field-values.ts';
import {
  selectDescription,
  selectDescriptionBytes,
  selectShortDescription,
} from '../texts/task-texts.queries.ts';
import { isTaskVisible, type TaskAlias } from '../visibility/task-visibility.queries.ts';
import { buildStructureColumns, isParentHidden, joinParent, type StructureRow } from './subtasks.queries.ts';
import { buildPageOrderBy, type PageSort } from './task-orders.queries.ts';
import { DETAILS_BYTES_MAX, DETAILS_IN_LIST_MAX } from './tasks.schema.ts';

const a = aliasLeftJoinedTable(members, 'a');
const oa = aliasTable(members, 'oa');
const r = aliasTable(recurrences, 'r');
const c = aliasLeftJoinedTable(taskCategories, 'c');
const h = aliasTable(tasks, 'h');
const m = aliasTable(activeMembers, 'm');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const tt = aliasLeftJoinedTable(taskTypes, 'tt');

/** Longer descriptions are read separately after their page, a few at a time. */
const INLINE_DESCRIPTION_BYTES_MAX = DETAILS_BYTES_MAX / DETAILS_IN_LIST_MAX;

function pickTaskColumns<C extends FieldColumn>(columns: readonly C[]): Pick<typeof t, C> {
  return Object.fromEntries(columns.map((column) => [column, t[column]])) as Pick<typeof t, C>;
}

/** The statement must use the aliases `t` for the task, `p` for its project and `a` for its assignee. */
export const listFields = {
  id: t.id,
  ...pickTaskColumns(listPlainColumns('list')),
  ...pickTaskColumns(listPlainColumns('requested')),
  project_id: p.id,
  project_name: p.name,
  assignee_id: a.user_id,
  assignee_name: a.name,
  assignee_email: a.email,
};
const listColumns = selectColumns(listFields);
export type TaskRow = Row<typeof listColumns>;

const customFieldColumns = selectColumns({ field_ids: p.field_ids, field_values: t.field_values });
export type CustomFieldsRow = Row<typeof customFieldColumns>;

/**
 * Selects a JSON list with `what` for each assignee other than the first, including former members. `what` can refer
 * to the assignee as `oa`.
 */
function selectOtherAssignees(t: TaskAlias, what: SQL): SQL<string> {
  return withType(sql`iif(${t.other_assignees} = '[]', '[]', (SELECT json_group_array(${what} ORDER BY n.key)
    FROM json_each(${t.other_assignees}) n CROSS JOIN ${oa} ON ${oa.no} = n.value))`);
}

export const otherAssigneesColumn = selectColumns({
  others: selectOtherAssignees(
    t,
    sql`json_object('id', ${oa.user_id}, 'name', ${oa.name}, 'email', ${oa.email})`,
  ),
});
export type OtherAssigneesRow = Row<typeof otherAssigneesColumn>;

export interface Expansion {
  /** If set, tasks include their parent, their progress and their blocked state, as far as this caller can see them. */
  structureFor?: Caller | undefined;
  hasAssignees?: boolean;
  hasFields?: boolean | undefined;
}

export function parseExpansion(caller: Caller, expand: readonly string[]): Expansion {
  return {
    structureFor: expand.includes('structure') ? caller : undefined,
    hasAssignees: expand.includes('assignees'),
    hasFields: expand.includes('customFields'),
  };
}

type ExpandedRow = StructureRow & OtherAssigneesRow & CustomFieldsRow;

function buildExpandedColumns({ structureFor: caller, hasAssignees, hasFields }: Expansion) {
  const others = hasAssignees ? sql`, ${otherAssigneesColumn}` : sql``;
  const fields = hasFields ? sql`, ${customFieldColumns}` : sql``;
  if (caller === undefined) return { columns: sql`${others}${fields}`, joins: sql`` };
  const structure = selectColumns(buildStructureColumns(t, caller));
  return { columns: sql`, ${structure}${others}${fields}`, joins: joinParent(t, caller) };
}

const updatedColumn = selectColumns({ updated_at: t.updated_at });
const recurrenceColumn = selectColumns({
  recurrence: withType<string | null>(sql`iif(${t.repeats} > 0, (
    SELECT json_object('rule', ${r.rule}, 'mode', ${r.mode}, 'days', ${r.days}) FROM ${r}
    WHERE ${r.ws} = ${t.ws} AND ${r.task} = ${t.id}), NULL)`),
});
const createdColumn = selectColumns({ created_at: t.created_at });
export type ListedRow = TaskRow &
  Partial<
    Row<typeof updatedColumn> &
      Row<typeof createdColumn> &
      ExpandedRow &
      Row<typeof recurrenceColumn> & { field_people: string }
  >;

export const joinAssignee = (number: SQL) => sql`LEFT JOIN ${a} ON ${a.no} = ${number}`;

interface ListedTaskOptions extends Expansion {
  isDated?: boolean;
  /** If true, tasks include the names of people in custom fields. Requires `structureFor`. */
  hasFieldPeople?: boolean | undefined;
  /** If true, recurring tasks include their rule, mode and days as JSON. */
  hasRecurrences?: boolean | undefined;
}

export function listTasks(
  pageIds: SQL,
  sort: PageSort = 'created',
  { isDated = false, hasFieldPeople = false, hasRecurrences = false, ...expansion }: ListedTaskOptions = {},
): Statement<ListedRow[]> {
  const updated = sort === 'updated' || isDated ? sql`, ${updatedColumn}` : sql``;
  const created = isDated ? sql`, ${createdColumn}` : sql``;
  const structure = buildExpandedColumns(expansion);
  const { structureFor } = expansion;
  const people =
    hasFieldPeople && structureFor
      ? sql`, ${selectColumns({ field_people: selectPersonNames(structureFor, t.field_values) })}`
      : sql``;
  const recurrence = hasRecurrences ? sql`, ${recurrenceColumn}` : sql``;
  return readRows(sql`
    SELECT ${listColumns}${updated}${created}${structure.columns}${people}${recurrence} FROM (${pageIds}) page
    CROSS JOIN ${t} ON ${t.id} = page.id
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    ${structure.joins}
    ORDER BY ${buildPageOrderBy(sort)}`);
}

const detailFields = {
  ...listFields,
  ...pickTaskColumns(listPlainColumns('detail')),
  description: selectDescription(t),
  category_id: c.id,
  category_key: c.key,
  category_value: c.value,
  type_id: tt.id,
  type_key: tt.key,
  type_value: tt.value,
  creator_id: o.user_id,
  creator_name: o.name,
  creator_email: o.email,
  created_at: t.created_at,
  updated_at: t.updated_at,
  version: t.version,
};
const detailColumns = selectColumns(detailFields);
export type TaskDetailRow = Row<typeof detailColumns>;

// `NOT INDEXED` makes SQLite find the tasks by id. Otherwise, it might read all tasks in the workspace.
const selectDetail = <T>(
  caller: Caller,
  isOne: SQL,
  selected: Columns<T>,
  structure = buildExpandedColumns({}),
) => sql`
    SELECT ${selected}${structure.columns}
    FROM ${t} NOT INDEXED
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    CROSS JOIN ${o} ON ${o.no} = ${t.created_by}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${c} ON ${c.id} = ${t.category}
    LEFT JOIN ${tt} ON ${tt.id} = ${t.type}
    ${structure.joins}
    WHERE ${isOne} AND ${isTaskVisible(t, caller)}`;

export function findTaskDetail(
  caller: Caller,
  id: SQL,
  expand: readonly string[] = [],
): Statement<(TaskDetailRow & Partial<ExpandedRow>) | null> {
  const expanded = buildExpandedColumns(parseExpansion(caller, expand));
  return readFirstRow(selectDetail(caller, sql`${t.id} = ${id}`, detailColumns, expanded));
}

export type DetailRowWithSize = TaskDetailRow & { description_bytes: number };

/** `bytesMax` is the maximum size of a description to return. `listDescriptions` reads the longer ones. */
export function listTaskDetails(caller: Caller, ids: SQL, bytesMax: number): Statement<DetailRowWithSize[]> {
  const sized = selectColumns({
    ...detailFields,
    description: selectShortDescription(t, bytesMax),
    description_bytes: selectDescriptionBytes(t),
  });
  return readRows(
    sql`${withRowType(selectDetail(caller, sql`${t.id} IN (${ids})`, sized))} ORDER BY ${t.id}`,
  );
}

const pagedDetailColumns = selectColumns({
  ...detailFields,
  description: selectShortDescription(t, INLINE_DESCRIPTION_BYTES_MAX),
  bytes: selectDescriptionBytes(t),
});
/** `description` is null if it is too long for the page. */
export type PagedDetailRow = Row<typeof pagedDetailColumns> & Partial<ExpandedRow>;

export function listPagedDetails(
  pageIds: SQL,
  sort: PageSort,
  expansion: Expansion = {},
): Statement<PagedDetailRow[]> {
  const structure = buildExpandedColumns(expansion);
  return readRows(sql`
    SELECT ${pagedDetailColumns}${structure.columns} FROM (${pageIds}) page
    CROSS JOIN ${t} ON ${t.id} = page.id
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    CROSS JOIN ${o} ON ${o.no} = ${t.created_by}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${c} ON ${c.id} = ${t.category}
    LEFT JOIN ${tt} ON ${tt.id} = ${t.type}
    ${structure.joins}
    ORDER BY ${buildPageOrderBy(sort)}`);
}

const personColumns = selectColumns({ user_id: m.user_id, name: m.name, email: m.email });
export type PersonRow = Row<typeof personColumns>;

export function listFollowers(caller: Caller, id: SQL): Statement<PersonRow[]> {
  return readRows(sql`
    SELECT ${personColumns}
    FROM ${t} CROSS JOIN json_each(${t.followers}) f CROSS JOIN ${m} ON ${m.no} = f.value
    WHERE ${m.ws} = ${caller.workspace} AND ${t.id} = ${id} ORDER BY f.rowid`);
}

const followerColumns = selectColumns({ task: t.id, user_id: m.user_id, name: m.name, email: m.email });

export function listTaskFollowers(caller: Caller, ids: SQL): Statement<Row<typeof followerColumns>[]> {
  return readRows(sql`
    SELECT ${followerColumns}
    FROM (${ids}) i CROSS JOIN ${t} ON ${t.id} = i.id CROSS JOIN json_each(${t.followers}) f
    CROSS JOIN ${m} ON ${m.no} = f.value
    WHERE ${m.ws} = ${caller.workspace} ORDER BY ${t.id}, f.rowid`);
}

export const stateFields = {
  id: t.id,
  ws: t.ws,
  project: t.project,
  ...pickTaskColumns(fieldColumns),
  assignee_id: a.user_id,
  other_assignee_ids: selectOtherAssignees(t, oa.user_id),
  description: selectDescription(t),
  long_text: t.long_text,
  duration_minutes: t.duration_minutes,
  version: t.version,
  archived_with: t.archived_with,
  repeats: t.repeats,
  has_reminders: t.has_reminders,
};
export const buildStateFields = (caller: Caller) => ({
  ...stateFields,
  is_parent_hidden: isParentHidden(t, caller),
});
const buildStateColumns = (caller: Caller) => selectColumns(buildStateFields(caller));
export type TaskState = Row<ReturnType<typeof buildStateColumns>>;

export function findTaskState(caller: Caller, id: number): Statement<TaskState | null> {
  return readFirstRow(sql`
    SELECT ${buildStateColumns(caller)}
    FROM ${t} LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    WHERE ${t.id} = ${id} AND ${isTaskVisible(t, caller)}`);
}

export function assertTasksUnchanged(caller: Caller, read: readonly TaskVersion[]): Statement<void> {
  return assertUnchanged(areTasksUnchanged(caller, read));
}

export function areTasksUnchanged(caller: Caller, read: readonly TaskVersion[]): SQL {
  const versions = JSON.stringify(read.map(({ id, version }) => [id, version]));
  return sql`
    NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${t} WHERE ${t.id} = d.value ->> 0 AND ${t.version} = d.value ->> 1
        AND ${isTaskVisible(t, caller)}))`;
}

const versionColumns = selectColumns({ id: t.id, version: t.version });
/** The version increases when someone edits a field, but not with new comments, files or followers. */
export type TaskVersion = Row<typeof versionColumns>;

export function findTaskVersion(caller: Caller, id: number): Statement<TaskVersion | null> {
  return readFirstRow(sql`
    SELECT ${versionColumns} FROM ${t} WHERE ${t.id} = ${id} AND ${isTaskVisible(t, caller)}`);
}

export function listTaskVersions(caller: Caller, ids: SQL): Statement<TaskVersion[]> {
  return readRows(sql`
    SELECT ${versionColumns} FROM ${t} NOT INDEXED WHERE ${t.id} IN (${ids}) AND ${isTaskVisible(t, caller)}
    ORDER BY ${t.id}`);
}

export function assertTaskWritable(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${id} AND ${t.archived} = 0 AND ${isTaskVisible(t, caller)})`);
}

/** Returns the number of unarchived subtasks that the caller can see, or -1 if the caller can't see the parent. */
export function countSubtasks(caller: Caller, parent: number): Statement<number> {
  const { subtasks } = buildStructureColumns(t, caller);
  return readNumber(sql`
    SELECT coalesce((SELECT ${subtasks} FROM ${t} WHERE ${t.id} = ${parent} AND ${isTaskVisible(t, caller)}), -1) AS total`);
}

const placeColumn = selectColumns({ place: t.parent_place });

export function listSubtasks(
  caller: Caller,
  parent: number,
  range: PageRange,
  expansion: Expansion = {},
): Statement<(ListedRow & Row<typeof placeColumn>)[]> {
  const structure = buildExpandedColumns(expansion);
  return readRows(sql`
    SELECT ${listColumns}, ${placeColumn}${structure.columns}
    FROM ${h} CROSS JOIN ${p} ON ${p.id} = ${h.project}
    CROSS JOIN ${t} INDEXED BY tasks_by_parent ON ${t.parent} = ${h.id}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    ${structure.joins}
    WHERE ${h.id} = ${parent} AND ${isTaskVisible(h, caller)} AND ${t.archived} = 0 AND ${isTaskVisible(t, caller)}
      AND ${isAfter(range, [{ column: t.parent_place }, { column: t.id }])}
    ORDER BY ${t.parent_place}, ${t.id} ${buildLimit(range)}`);
}
