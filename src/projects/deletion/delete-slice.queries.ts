import { write } from '../../kernel/sql/database.ts';
import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { deleteLabelCounts } from '../../tasks/counters/label-counts.queries.ts';
import { deleteDetailedCounts } from '../../tasks/counters/repair.queries.ts';
import { deleteTaskFlow } from '../../tasks/counters/task-flow.queries.ts';
import {
  removeTasks,
  STATEMENTS_PER_REMOVAL,
  selectRemovedTasks,
} from '../../tasks/removal/remove-tasks.queries.ts';
import type { ProjectDeletion } from './progress.queries.ts';

const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

const TASKS_PER_SLICE = 100;

export const STATEMENTS_PER_SLICE = STATEMENTS_PER_REMOVAL + 8;

/** Keeps the row of the cell's newest task until a newer one exists, because the row determines the next id. */
export function deleteSlice({ project, ws }: Omit<ProjectDeletion, 'is_hidden'>) {
  const slice = selectRemovedTasks(sql`
    ${t} INDEXED BY tasks_by_project WHERE ${t.project} = ${-project} AND ${t.ws} = ${-ws} LIMIT ${TASKS_PER_SLICE}`);
  return {
    ...removeTasks(ws, slice, [
      ...deleteDetailedCounts({ ws, id: project }),
      deleteLabelCounts({ ws, id: project }),
      deleteTaskFlow({ ws, id: project }),
    ]),
    progress: [
      write(sql`
      UPDATE ${projectDeletions} SET ${projectDeletions.tasks_left} = ${projectDeletions.tasks_left} - changes()
      WHERE ${projectDeletions.project} = ${project}`),
      write(sql`
      DELETE FROM ${projectDeletions} WHERE ${projectDeletions.project} = ${project}
      AND NOT EXISTS (SELECT 1 FROM ${t} INDEXED BY tasks_by_project WHERE ${t.project} = ${-project})
      AND NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${project})`),
    ],
  };
}
