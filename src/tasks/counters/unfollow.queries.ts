import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import {
  bucketColumns,
  followedColumns,
  getColumnAt,
  otherAssigneeCounts,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { isOtherAssignee, removeFromFollowerLists } from '../model/follower-lists.queries.ts';

const taskCountColumns = aliasTable(taskCounts, 'task_counts');
const followerColumns = aliasTable(followers, 'followers');
const pm = aliasTable(projectMembers, 'pm');
const t = aliasTable(tasks, 't');

/** The member still follows tasks that are assigned to them. */
export function unfollowProject(ws: number, member: number, project: number): Statement<void>[] {
  return unfollowTasksInProjects(ws, member, (each) => sql`${each} = ${project}`);
}

export function unfollowUnjoinedProjects(ws: number, member: number | SQL): Statement<void>[] {
  return unfollowTasksInProjects(
    ws,
    member,
    (each) =>
      sql`NOT EXISTS (SELECT 1 FROM ${pm} WHERE ${pm.project} = ${each} AND ${pm.member} = ${member})`,
  );
}

function unfollowTasksInProjects(
  ws: number,
  member: number | SQL,
  isIn: (project: SQL) => SQL,
): Statement<void>[] {
  const assigned = followedColumns.map(
    (column, bucket) => `${column} = ${getColumnAt(bucketColumns, bucket)}`,
  );
  const sums = bucketColumns.map((column) => `sum(${column}) AS ${column}`);
  const sharedTasks = followedColumns.map(
    (column, bucket) => `${column} = ${column} + k.${getColumnAt(bucketColumns, bucket)}`,
  );
  return [
    write(sql`
      UPDATE ${taskCounts} SET ${sql.raw(assigned.join(', '))}
      WHERE ${taskCounts.ws} = ${ws} AND ${taskCounts.member} = ${member}
        AND ${taskCountColumns.project} > 0 AND ${isIn(taskCountColumns.project)}`),
    write(sql`
      UPDATE ${taskCounts} SET ${sql.raw(sharedTasks.join(', '))}
      FROM (SELECT ${otherAssigneeCounts.project} AS of, ${sql.raw(sums.join(', '))} FROM ${otherAssigneeCounts}
        WHERE ${otherAssigneeCounts.ws} = ${ws} AND ${otherAssigneeCounts.member} = ${member}
        GROUP BY ${otherAssigneeCounts.project}) k
      WHERE ${taskCounts.ws} = ${ws} AND ${taskCounts.member} = ${member}
        AND ${taskCountColumns.project} = k.of AND ${isIn(taskCountColumns.project)}`),
    removeFromFollowerLists(ws, member, isIn),
    write(sql`
      DELETE FROM ${followers} WHERE ${followers.member} = ${member} AND ${isIn(followerColumns.project)}
      AND NOT EXISTS (
        SELECT 1 FROM ${t} WHERE ${t.id} = ${followerColumns.task} AND ${t.assignee} = ${member} AND ${t.ws} = ${ws})
      AND NOT ${isOtherAssignee(followerColumns.task, member)}`),
  ];
}
