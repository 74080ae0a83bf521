import { attachments, objectsToDelete, storage } from '../attachments/attachments.sql.ts';
import { comments } from '../comments/comments.sql.ts';
import { dropProjectCounts, type ProjectKey } from '../counters/repair.queries.ts';
import { assertUnchanged, type Statement, write } from '../kernel/database.ts';
import { into, names, type SQL, sql } from '../kernel/sql.ts';
import { meetings, meetingTasks } from '../meetings/meetings.sql.ts';
import { projectMembers, projects } from '../projects/projects.sql.ts';
import { cardPlaces, tasks } from '../task-model/tasks.sql.ts';
import { timeEntries } from '../time-tracking/time-tracking.sql.ts';
import { projectDeletions } from './project-deletion.sql.ts';

const a = names(attachments, 'a');
const m = names(meetings, 'm');
const p2 = names(attachments, 'p');
const p = names(projects, 'p');
const t = names(tasks, 't');
const v = names(attachments, 'v');

/**
 * Makes a project vanish for everybody, in one batch. Files, time and meetings go at once. Tasks and comments may be many
 * thousand: they get the negative number of the workspace, which nobody has, and nobody's number where indexes start with
 * the assignee. `deleteSlice` deletes them later.
 */
export function hideProject(project: ProjectKey, now: number): Statement<void>[] {
  const { ws, id } = project;
  const ids = sql`(SELECT ${t.id} FROM ${t} INDEXED BY tasks_by_project WHERE ${t.project} = ${id} AND ${t.ws} = ${ws})`;
  const files = filesOf(project);
  return [
    write(sql`
      INSERT INTO ${into(projectDeletions, 'project', 'ws', 'name', 'tasks', 'tasks_left', 'created_at')}
      SELECT ${p.id}, ${p.ws}, ${p.name}, held.tasks, held.tasks, ${now}
      FROM ${p} CROSS JOIN (SELECT count(*) AS tasks FROM ${ids}) held
      WHERE ${p.ws} = ${ws} AND ${p.id} = ${id}`),
    assertUnchanged(sql`changes() = 1`),
    ...dropProjectCounts(project),
    write(sql`
      INSERT INTO ${into(objectsToDelete, 'object_key', 'delete_at')}
      SELECT ${a.object_key}, ${now} FROM ${a} WHERE ${a.id} IN ${files}`),
    write(sql`
      UPDATE ${storage} SET ${storage.used} = ${storage.used} - (
        SELECT coalesce(sum(${a.file_size}), 0) FROM ${a} WHERE ${a.id} IN ${files})
      WHERE ${storage.ws} = ${ws}`),
    write(sql`DELETE FROM ${attachments} WHERE ${attachments.id} IN ${files}`),
    write(sql`DELETE FROM ${timeEntries} WHERE ${timeEntries.task} IN ${ids}`),
    write(
      sql`DELETE FROM ${meetingTasks} WHERE ${meetingTasks.meeting} IN (SELECT ${m.id}
        FROM ${m} WHERE ${m.project} = ${id})`,
    ),
    write(sql`DELETE FROM ${meetings} WHERE ${meetings.project} = ${id}`),
    write(sql`UPDATE ${comments} INDEXED BY comments_by_task
      SET ${comments.ws} = -${comments.ws}, ${comments.assignee} = 0 WHERE ${comments.task} IN ${ids}`),
    write(
      sql`UPDATE ${tasks} INDEXED BY tasks_by_project SET ${tasks.ws} = -${tasks.ws}, ${tasks.assignee} = 0
        WHERE ${tasks.project} = ${id} AND ${tasks.ws} = ${ws}`,
    ),
    write(sql`DELETE FROM ${cardPlaces} WHERE ${cardPlaces.ws} = ${ws} AND ${cardPlaces.project} = ${id}`),
    write(sql`DELETE FROM ${projectMembers} WHERE ${projectMembers.project} = ${id}`),
    write(sql`DELETE FROM ${projects} WHERE ${projects.ws} = ${ws} AND ${projects.id} = ${id}`),
  ];
}

/** Ids of the files of a project and of its tasks, with all versions. */
function filesOf({ ws, id }: ProjectKey): SQL {
  const first = sql`
    SELECT coalesce(${a.parent}, ${a.id}) AS id FROM ${t} INDEXED BY tasks_by_project
    CROSS JOIN ${a} INDEXED BY attachments_by_task ON ${a.task} = ${t.id} AND ${a.task} IS NOT NULL
      AND ${a.latest} = 1
    WHERE ${t.project} = ${id} AND ${t.ws} = ${ws}`;
  return sql`(
    SELECT f.id FROM (${first}) f
    UNION SELECT ${v.id} FROM (${first}) f CROSS JOIN ${v} INDEXED BY attachments_by_parent
      ON ${v.parent} = f.id AND ${v.parent} IS NOT NULL
    UNION SELECT ${p2.id} FROM ${p2} INDEXED BY attachments_by_project
      WHERE ${p2.project} = ${id} AND ${p2.project} IS NOT NULL AND ${p2.ws} = ${ws})`;
}
