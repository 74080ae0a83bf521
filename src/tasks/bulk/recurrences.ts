import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import { listRecurrences, type RecurrenceRow } from '../recurrence/recurrences.queries.ts';
import { parseRecurrence, taskFieldNames } from '../recurrence/start-series.ts';
import { buildRecurrenceStatements, planRecurrence, type RecurrenceEdit } from '../write/recurrence-edits.ts';
import type { TaskEdit } from '../write/tasks.write.ts';
import type { AgentEditInput } from './bulk.schema.ts';

type RecurrenceBulkEdit = Pick<AgentEditInput, 'id' | 'recurrence'>;

export async function readRecurrences(
  { db, caller }: Context,
  edits: readonly RecurrenceBulkEdit[],
): Promise<ReadonlyMap<number, RecurrenceRow>> {
  const ids = edits.flatMap(({ id, recurrence }) => (recurrence === undefined ? [] : [id]));
  if (ids.length === 0) return new Map();
  const [rows] = await db.batch([listRecurrences(caller, ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

export function planBulkRecurrence(
  ctx: Context,
  found: RecurrenceRow | undefined,
  { recurrence: wanted }: RecurrenceBulkEdit,
  { task, changes }: TaskEdit,
): RecurrenceEdit | null {
  if (wanted === undefined || !found) return null;
  const to = wanted && parseRecurrence(wanted, taskFieldNames);
  const edit = planRecurrence(ctx, found, to, { due: changes.due ?? task.due, names: taskFieldNames });
  if (edit && changes.status === COMPLETED_STATUS) {
    throw invalidRequestError(
      ({ field }) => `${field('recurrence')} must not change in the request that completes the task`,
    );
  }
  return edit;
}

export function buildAcceptedRecurrenceStatements(
  ctx: Context,
  edits: readonly { task: { id: number } }[],
  recurrences: readonly RecurrenceEdit[],
): Statement<void>[] {
  const ids = new Set(edits.map(({ task }) => task.id));
  return buildRecurrenceStatements(
    ctx,
    recurrences.filter(({ task }) => ids.has(task)),
  );
}
