import { type Statement, write } from '../../kernel/sql/database.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { bucketColumns, columnAt, followedColumns, taskCounts } from '../../schema/cell/counters.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { removeFromLists } from '../model/follower-lists.queries.ts';

const counted = names(taskCounts, 'task_counts');
const followed = names(followers, 'followers');
const pm = names(projectMembers, 'pm');
const t = names(tasks, 't');

/** Unfollows the tasks of a project, except those that are assigned to the member. */
export function unfollowProject(ws: number, member: number, project: number): Statement<void>[] {
  return unfollowIn(ws, member, (each) => sql`${each} = ${project}`);
}

/** The same in all projects that the member is not in. */
export function unfollowElsewhere(ws: number, member: number | SQL): Statement<void>[] {
  return unfollowIn(
    ws,
    member,
    (each) =>
      sql`NOT EXISTS (SELECT 1 FROM ${pm} WHERE ${pm.project} = ${each} AND ${pm.member} = ${member})`,
  );
}

/** @param isIn the condition on a project. */
function unfollowIn(ws: number, member: number | SQL, isIn: (project: SQL) => SQL): Statement<void>[] {
  const assigned = followedColumns.map((column, bucket) => `${column} = ${columnAt(bucketColumns, bucket)}`);
  return [
    write(sql`
      UPDATE ${taskCounts} SET ${sql.raw(assigned.join(', '))}
      WHERE ${taskCounts.ws} = ${ws} AND ${taskCounts.member} = ${member}
        AND ${counted.project} > 0 AND ${isIn(counted.project)}`),
    removeFromLists(ws, member, isIn),
    write(sql`
      DELETE FROM ${followers} WHERE ${followers.member} = ${member} AND ${isIn(followed.project)}
      AND NOT EXISTS (
        SELECT 1 FROM ${t} WHERE ${t.id} = ${followed.task} AND ${t.assignee} = ${member} AND ${t.ws} = ${ws})`),
  ];
}
