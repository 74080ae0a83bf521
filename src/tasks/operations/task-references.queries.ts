import type { Caller } from '../../kernel/access/access.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  type Statement,
} from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import type { AssigneeInput, MemberNumbers } from '../field-values.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const am = aliasTable(activeMembers, 'am');
const b = aliasTable(tasks, 'b');
const c = aliasTable(taskCategories, 'c');
const mn = aliasTable(activeMembers, 'mn');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const tt = aliasTable(taskTypes, 'tt');

const idColumn = selectColumns({ id: t.project });

export function findTaskProject(caller: Caller, id: number): Statement<{ id: number } | null> {
  return readFirstRow(sql`
    SELECT ${idColumn} FROM ${t}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace} AND ${isProjectVisible(caller, t.project)}`);
}

const memberColumns = selectColumns({ id: mn.user_id, no: mn.no });
type MemberRow = Row<typeof memberColumns>;

/** Leaves out former members. */
export function listMemberNumbers(caller: Caller, userIds: readonly string[]): Statement<MemberRow[]> {
  const [only = '', ...others] = userIds;
  const userCondition = others.length === 0 ? sql`= ${only}` : sql`IN ${buildInList(userIds)}`;
  return readRows(sql`
    SELECT ${memberColumns} FROM ${mn} WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} ${userCondition}`);
}

export function toMemberNumbers(members: readonly MemberRow[]): MemberNumbers {
  return new Map(members.map(({ id, no }) => [id, no]));
}

export type TaskReferences = Row<ReturnType<typeof buildReferenceColumns>>;

/** A reference is null if it doesn't exist or isn't visible to the caller. */
export function findTaskReferences(
  caller: Caller,
  ids: {
    projectId: number;
    categoryId?: number | null | undefined;
    typeId?: number | null | undefined;
  } & AssigneeInput,
): Statement<TaskReferences | null> {
  return readFirstRow(sql`
    SELECT ${buildReferenceColumns(caller, {
      project: sql`${ids.projectId}`,
      assignee: sql`${ids.assigneeId ?? ''}`,
      assignees: ids.assigneeIds && sql`${JSON.stringify(ids.assigneeIds)}`,
      category: sql`${ids.categoryId ?? null}`,
      type: sql`${ids.typeId ?? null}`,
    })}`);
}

export function findCategoryAndType(
  caller: Caller,
  { categoryId, typeId }: { categoryId?: number | null | undefined; typeId?: number | null | undefined },
): Statement<Pick<TaskReferences, 'category' | 'type_category'> | null> {
  const kinds = selectColumns(
    buildCategoryColumns(caller, { category: sql`${categoryId ?? null}`, type: sql`${typeId ?? null}` }),
  );
  return readFirstRow(sql`SELECT ${kinds}`);
}

function buildCategoryColumns({ workspace: ws }: Caller, ids: Readonly<Record<'category' | 'type', SQL>>) {
  return {
    category: withType<number | null>(
      sql`(SELECT ${c.id} FROM ${c} WHERE ${c.ws} = ${ws} AND ${c.id} = ${ids.category})`,
    ),
    type_category: withType<number | null>(sql`(SELECT ${tt.category} FROM ${tt} WHERE ${tt.ws} = ${ws}
        AND ${tt.id} = ${ids.type})`),
  };
}

export function buildReferenceColumns(
  caller: Caller,
  ids: Readonly<Record<'project' | 'assignee' | 'category' | 'type', SQL>> & {
    assignees: SQL | undefined;
  },
) {
  const ws = caller.workspace;
  return selectColumns({
    project: withType<
      number | null
    >(sql`(SELECT ${p.id} FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.id} = ${ids.project}
        AND ${isProjectVisible(caller, p.id)})`),
    assignee: withType<number | null>(sql`(SELECT ${mn.no} FROM ${mn} WHERE ${mn.ws} = ${ws}
        AND ${mn.user_id} = ${ids.assignee})`),
    /** A JSON object of the assignees' member numbers by user id. Leaves out people who aren't members. */
    assignees: withType<string | null>(
      ids.assignees === undefined
        ? sql`NULL`
        : sql`(SELECT json_group_object(${mn.user_id}, ${mn.no}) FROM json_each(${ids.assignees}) j
            CROSS JOIN ${mn} ON ${mn.ws} = ${ws} AND ${mn.user_id} = j.value)`,
    ),
    ...buildCategoryColumns(caller, ids),
  });
}

const assigneeNumberColumn = selectColumns({ no: am.no });

export function listActiveAssignees(caller: Caller, id: number): Statement<{ no: number }[]> {
  return readRows(sql`
    SELECT ${assigneeNumberColumn} FROM ${t} CROSS JOIN ${am} ON ${am.no} = ${t.assignee}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace}
    UNION ALL SELECT ${assigneeNumberColumn} FROM ${t} CROSS JOIN json_each(${t.other_assignees}) n
    CROSS JOIN ${am} ON ${am.no} = n.value AND ${am.ws} = ${t.ws}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace}`);
}

export function assertProjectAndAssignees(
  caller: Caller,
  project: number,
  assignees: readonly number[],
): Statement<void> {
  const seen = sql`
    EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project}
      AND ${isProjectVisible(caller, p.id)})`;
  return assertUnchanged(
    assignees.length > 0 ? sql`${seen} AND ${areActiveMembers(caller, assignees)}` : seen,
  );
}

export function assertActiveAssignees(caller: Caller, numbers: readonly number[]): Statement<void> {
  return assertUnchanged(areActiveMembers(caller, numbers));
}

function areActiveMembers(caller: Caller, numbers: readonly number[]): SQL {
  return sql`
    NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(numbers)}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${am} WHERE ${am.no} = d.value AND ${am.ws} = ${caller.workspace}))`;
}

const scheduledColumns = selectColumns({
  time: withType<string>(b.scheduled_time),
  minutes: withType<number>(sql`coalesce(${b.duration_minutes}, 60)`),
});

/** Lists the unarchived tasks with a scheduled time that have the same first assignee and deadline as task `id`. */
export function listScheduledTasks(
  caller: Caller,
  id: number,
): Statement<{ time: string; minutes: number }[]> {
  return readRows(sql`
    SELECT ${scheduledColumns}
    FROM ${t} CROSS JOIN ${b} INDEXED BY tasks_scheduled
      ON ${b.assignee} = ${t.assignee} AND ${b.due} = ${t.due} AND ${b.scheduled_time} IS NOT NULL
    WHERE ${t.id} = ${id} AND ${t.assignee} > 0 AND ${b.archived} = 0 AND ${isTaskVisible(t, caller)}`);
}

export function assertHourIsFree(assignee: number, due: string, time: string): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM ${b} INDEXED BY tasks_scheduled
      WHERE ${b.assignee} = ${assignee} AND ${b.due} = ${due} AND ${b.scheduled_time} = ${time}
        AND ${b.archived} = 0)`);
}
