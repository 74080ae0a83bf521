import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { toTask } from '../model/tasks.present.ts';
import { countTrash, listTrash as selectTrash, type TrashListRow } from './trash.queries.ts';
import { trashInput, trashPage } from './trash.schema.ts';

export const listTrash = defineOperation(
  {
    name: 'listTrash',
    summary: 'List deleted tasks, most recently deleted first',
    description:
      "Returns the tasks that you can restore. Workspace owners and admins can restore every task deleted in the last 30 days, and project leads can restore those in their projects. Subtasks deleted with their parent aren't listed.",
    access: 'tasks:read',
    capability: 'deleteTasks',
    effect: 'read',
    input: trashInput,
    output: trashPage,
  },
  async ({ caller, db, reach }, input) => {
    const range = toRange(input, 2);
    const [total, rows] = await db.batch([countTrash(caller, reach), selectTrash(caller, reach, range)]);
    return buildPage({ range, total, rows, key: (row) => [row.deleted_at, row.id], show: toTrashedTask });
  },
);

function toTrashedTask(row: TrashListRow) {
  return {
    ...toTask(row),
    deletedAt: toTimestamp(row.deleted_at),
    deletedBy: { id: row.deleter_id, name: row.deleter_name },
  };
}
