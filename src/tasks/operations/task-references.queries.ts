import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const am = aliasTable(activeMembers, 'am');
const b = aliasTable(tasks, 'b');
const c = aliasTable(taskCategories, 'c');
const mn = aliasTable(activeMembers, 'mn');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const y = aliasTable(taskTypes, 'y');

const idColumn = selectColumns({ id: t.project });

/** Returns null if the caller can't see the project or the task. */
export function findProjectOfTask(caller: Caller, id: number): Statement<{ id: number } | null> {
  return readFirstRow(sql`
    SELECT ${idColumn} FROM ${t}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace} AND ${isProjectVisible(caller, t.project)}`);
}

const memberNumberColumn = selectColumns({ no: mn.no });

export function findMember(caller: Caller, userId: string): Statement<{ no: number } | null> {
  return readFirstRow(sql`
    SELECT ${memberNumberColumn} FROM ${mn} WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} = ${userId}`);
}

export type TaskReferences = Row<ReturnType<typeof buildReferenceColumns>>;

/** A reference is null if it doesn't exist or isn't visible to the caller. */
export function findTaskReferences(
  caller: Caller,
  ids: {
    projectId: number;
    assigneeId?: string | null | undefined;
    categoryId?: number | null | undefined;
    typeId?: number | null | undefined;
  },
): Statement<TaskReferences | null> {
  return readFirstRow(sql`
    SELECT ${buildReferenceColumns(caller, {
      project: sql`${ids.projectId}`,
      assignee: sql`${ids.assigneeId ?? ''}`,
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
    type_category: withType<number | null>(sql`(SELECT ${y.category} FROM ${y} WHERE ${y.ws} = ${ws}
        AND ${y.id} = ${ids.type})`),
  };
}

export function buildReferenceColumns(
  caller: Caller,
  ids: Readonly<Record<'project' | 'assignee' | 'category' | 'type', SQL>>,
) {
  const ws = caller.workspace;
  return selectColumns({
    project: withType<
      number | null
    >(sql`(SELECT ${p.id} FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.id} = ${ids.project}
        AND ${isProjectVisible(caller, p.id)})`),
    assignee: withType<number | null>(sql`(SELECT ${mn.no} FROM ${mn} WHERE ${mn.ws} = ${ws}
        AND ${mn.user_id} = ${ids.assignee})`),
    ...buildCategoryColumns(caller, ids),
  });
}

const assigneeNumberColumn = selectColumns({ no: am.no });

/** Returns null if the task is unassigned or its assignee has left the workspace. */
export function findActiveAssignee(caller: Caller, id: number): Statement<{ no: number } | null> {
  return readFirstRow(sql`
    SELECT ${assigneeNumberColumn} FROM ${t} CROSS JOIN ${am} ON ${am.no} = ${t.assignee}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace}`);
}

/** Aborts the batch unless the caller still sees the project and the assignee is still a member. */
export function assertProjectAndAssignee(caller: Caller, project: number, assignee: number): Statement<void> {
  const seen = sql`
    EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project}
      AND ${isProjectVisible(caller, p.id)})`;
  return assertUnchanged(assignee > 0 ? sql`${seen} AND ${isMember(caller, assignee)}` : seen);
}

/** Aborts the batch unless the assignee is still a member. Anyone who can see a task can assign it. */
export function assertAssignee(caller: Caller, assignee: number): Statement<void> {
  return assertUnchanged(isMember(caller, assignee));
}

function isMember(caller: Caller, member: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${am} WHERE ${am.no} = ${member} AND ${am.ws} = ${caller.workspace})`;
}

const scheduledColumns = selectColumns({
  time: withType<string>(b.scheduled_time),
  minutes: withType<number>(sql`coalesce(${b.duration_minutes}, 60)`),
});

/** Lists tasks of the assignee that are due on this day at a given time. */
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

/** Aborts the batch if another task has been scheduled at this time since it was read. */
export function assertHourFree(assignee: number, due: string, time: string): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM ${b} INDEXED BY tasks_scheduled
      WHERE ${b.assignee} = ${assignee} AND ${b.due} = ${due} AND ${b.scheduled_time} = ${time}
        AND ${b.archived} = 0)`);
}
