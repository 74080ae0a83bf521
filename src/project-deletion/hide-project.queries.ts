import { type SQL, sql } from 'drizzle-orm';
import { dropProjectCounts, type ProjectKey } from '../counters/repair.queries.ts';
import { assertUnchanged, type Statement, write } from '../kernel/database.ts';

/**
 * Makes a project vanish for everybody, in one batch. Files, time and meetings go at once. Tasks and comments may be many
 * thousand: they get the negative number of the workspace, which nobody has, and
 * nobody's number where indexes start with the assignee. `deleteSlice` deletes them later.
 */
export function hideProject(project: ProjectKey, now: number): Statement<void>[] {
  const { ws, id } = project;
  const tasks = sql`(SELECT t.id FROM tasks t INDEXED BY tasks_by_project WHERE t.project = ${id} AND t.ws = ${ws})`;
  const files = filesOf(project);
  return [
    write(sql`
      INSERT INTO project_deletions (project, ws, name, tasks, created_at)
      SELECT p.id, p.ws, p.name, (SELECT count(*) FROM ${tasks}), ${now}
      FROM projects p WHERE p.ws = ${ws} AND p.id = ${id}`),
    assertUnchanged(sql`changes() = 1`),
    ...dropProjectCounts(project),
    write(sql`
      INSERT INTO objects_to_delete (object_key, delete_at)
      SELECT a.object_key, ${now} FROM attachments a WHERE a.id IN ${files}`),
    write(sql`
      UPDATE storage SET used = used - (
        SELECT coalesce(sum(a.file_size), 0) FROM attachments a WHERE a.id IN ${files})
      WHERE ws = ${ws}`),
    write(sql`DELETE FROM attachments WHERE id IN ${files}`),
    write(sql`DELETE FROM time_entries WHERE task IN ${tasks}`),
    write(
      sql`DELETE FROM meeting_tasks WHERE meeting IN (SELECT m.id FROM meetings m WHERE m.project = ${id})`,
    ),
    write(sql`DELETE FROM meetings WHERE project = ${id}`),
    write(sql`UPDATE comments INDEXED BY comments_by_task SET ws = -ws, assignee = 0 WHERE task IN ${tasks}`),
    write(
      sql`UPDATE tasks INDEXED BY tasks_by_project SET ws = -ws, assignee = 0 WHERE project = ${id} AND ws = ${ws}`,
    ),
    write(sql`DELETE FROM project_members WHERE project = ${id}`),
    write(sql`DELETE FROM projects WHERE ws = ${ws} AND id = ${id}`),
  ];
}

/** Ids of the files of a project and of its tasks, with all versions. */
function filesOf({ ws, id }: ProjectKey): SQL {
  const first = sql`
    SELECT coalesce(a.parent, a.id) AS id FROM tasks t INDEXED BY tasks_by_project
    CROSS JOIN attachments a INDEXED BY attachments_by_task ON a.task = t.id AND a.task IS NOT NULL AND a.latest = 1
    WHERE t.project = ${id} AND t.ws = ${ws}`;
  return sql`(
    SELECT f.id FROM (${first}) f
    UNION SELECT v.id FROM (${first}) f CROSS JOIN attachments v INDEXED BY attachments_by_parent
      ON v.parent = f.id AND v.parent IS NOT NULL
    UNION SELECT p.id FROM attachments p INDEXED BY attachments_by_project
      WHERE p.project = ${id} AND p.project IS NOT NULL AND p.ws = ${ws})`;
}
