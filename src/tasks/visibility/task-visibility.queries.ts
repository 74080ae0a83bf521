import type { Caller } from '../../kernel/access/access.ts';
import { reachOf } from '../../kernel/access/capabilities.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { joined, type Reader, reachesProject } from './project-visibility.queries.ts';

const t = names(tasks, 't');
const vf = names(followers, 'vf');
const vt = names(followers, 'vt');

/** Condition: the task `t` lies in a project the caller joined, or they follow it. */
export function isMine(caller: Caller): SQL {
  return sql`(${joined(caller, t.project)} OR EXISTS (
    SELECT 1 FROM ${vf} WHERE ${vf.member} = ${caller.member} AND ${vf.project} = ${t.project}
      AND ${vf.task} = ${t.id}))`;
}

export function seesEveryTask(caller: Caller): boolean {
  return reachOf(caller, 'seeTasks') === 'all';
}

/** Condition on the task `t`, its workspace first: may the caller see (and so write) it? */
export function taskVisible(caller: Caller): SQL {
  const inWorkspace = sql`${t.ws} = ${caller.workspace}`;
  if (seesEveryTask(caller)) return inWorkspace;
  return sql`${inWorkspace} AND (${t.assignee} = ${caller.member} OR ${isMine(caller)})`;
}

/** The same of the member `reader`, a row of the task's workspace. */
export function taskVisibleTo(reader: Reader): SQL {
  return sql`(${t.assignee} = ${reader.no} OR ${reachesProject(reader, 'seeTasks', t.project)} OR EXISTS (
    SELECT 1 FROM ${vt} WHERE ${vt.member} = ${reader.no} AND ${vt.project} = ${t.project}
      AND ${vt.task} = ${t.id}))`;
}
