import type { Context } from '../../kernel/operation/operation.ts';
import type { Results, Statement } from '../../kernel/sql/database.ts';
import type { TaskChanges } from '../model/change.queries.ts';
import { realChanges, taskNotFound } from '../model/tasks.policy.ts';
import { assertStates, findTaskState, type TaskState } from '../model/tasks.queries.ts';
import { changeTask } from './tasks.write.ts';

interface Edit {
  /** What the columns become; those that have the value already are dropped. */
  changes: TaskChanges;
  /** What else has to hold in the batch, if anything changes. */
  claims?: readonly Statement<void>[];
  /** Statements that belong to the edit even if no column changes. */
  also?: readonly Statement<void>[];
}

/**
 * Reads a task, asks `plan` what it becomes, and returns the statements that make it so; none if nothing changes. They
 * undo their batch if the task has changed since it was read, so that no edit overwrites one that it has not seen.
 * @param reads what else `plan` needs, read in the same trip.
 */
export async function editTask<const R extends readonly Statement[]>(
  ctx: Context,
  id: number,
  reads: R,
  plan: (task: TaskState, ...found: Results<R>) => Edit,
): Promise<Statement<void>[]> {
  const { caller, db } = ctx;
  const [task, ...found] = await db.batch([findTaskState(caller, id), ...reads] as const);
  if (!task) throw taskNotFound(id);
  const { changes: wanted, claims = [], also = [] } = plan(task, ...(found as unknown as Results<R>));
  const changes = realChanges(task, wanted);
  const isChanged = Object.keys(changes).length > 0;
  if (!isChanged && also.length === 0) return [];
  return [
    assertStates(caller, [task]),
    ...claims,
    ...(isChanged ? changeTask(ctx, task, changes) : []),
    ...also,
  ];
}
