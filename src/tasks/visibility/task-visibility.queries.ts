import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { type AliasedTable, aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { followers, type tasks } from '../../schema/cell/tasks.ts';
import { canReachProject, hasJoinedProject, type ReaderAlias } from './project-visibility.queries.ts';

const vf = aliasTable(followers, 'vf');
const vt = aliasTable(followers, 'vt');

export type TaskAlias = AliasedTable<typeof tasks, unknown>;

/** True for tasks in projects that the caller has joined, and for tasks that the caller follows. */
export function isMyTask(t: TaskAlias, caller: Caller): SQL {
  return sql`(${hasJoinedProject(caller, t.project)} OR EXISTS (
    SELECT 1 FROM ${vf} WHERE ${vf.member} = ${caller.member} AND ${vf.project} = ${t.project}
      AND ${vf.task} = ${t.id}))`;
}

export function seesEveryTask(caller: Caller): boolean {
  return getReach(caller, 'seeTasks') === 'all';
}

/** Includes the workspace condition. Callers can also edit every task that they can see. */
export function isTaskVisible(t: TaskAlias, caller: Caller): SQL {
  const inWorkspace = sql`${t.ws} = ${caller.workspace}`;
  if (seesEveryTask(caller)) return inWorkspace;
  return sql`${inWorkspace} AND (${t.assignee} = ${caller.member} OR ${isMyTask(t, caller)})`;
}

/** `reader` must be a member of the task's workspace. */
export function isTaskVisibleTo(t: TaskAlias, reader: ReaderAlias): SQL {
  return sql`(${t.assignee} = ${reader.no} OR ${canReachProject(reader, 'seeTasks', t.project)} OR EXISTS (
    SELECT 1 FROM ${vt} WHERE ${vt.member} = ${reader.no} AND ${vt.project} = ${t.project}
      AND ${vt.task} = ${t.id}))`;
}
