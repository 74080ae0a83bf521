import type * as z from 'zod';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { assertUnchanged, readFromTables, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { toAssignees } from '../../tasks/model/tasks.present.ts';
import { countSubtasks, listTasks as selectTasks } from '../../tasks/model/tasks.queries.ts';
import { toListedTask } from '../../tasks/operations/list-tasks.ts';
import { listSubtaskPositions } from '../../tasks/subtasks/subtasks.queries.ts';
import type { listSubtasks } from '../../tasks/subtasks/subtasks.ts';
import { getPendingParent } from '../model/fold-items.ts';
import { type PendingSet, readOpenSet, toPendingTasks } from './pending-set.ts';
import { buildPendingTables } from './pending-tasks.queries.ts';

interface SubtaskPosition {
  readonly id: number;
  readonly place: number;
}

/** Higher than the position of any stored subtask. */
const ADDED_FROM = 1_000_000_000;

export async function listPendingSubtasks(ctx: Context, input: z.output<typeof listSubtasks.input>) {
  const { id, expand = [] } = input;
  const { db, caller } = ctx;
  const pending = await readOpenSet(ctx);
  const [isVisible, stored] = isProvisionalId(id)
    ? [pending.folded.tasks.has(id), []]
    : await db
        .batch([
          countSubtasks(caller, id),
          listSubtaskPositions(caller, id),
          assertUnchanged(pending.isUnchanged),
        ])
        .then(([total, positions]) => [total >= 0, positions] as const);
  if (!isVisible) throw taskNotFoundError(id);
  const range = toRange(input, 2);
  const subtasks = listPositions(pending, id, stored);
  const [place = -1, last = 0] = (range.after ?? []).map(Number);
  const page = subtasks
    .filter((each) => each.place > place || (each.place === place && each.id > last))
    .slice(range.offset, range.offset + range.limit + 1);
  const ids = page.map((each) => each.id);
  const tables = buildPendingTables(caller, toPendingTasks(pending, ctx.now), ids);
  const hasAssignees = expand.includes('assignees');
  const [rows] = await db.batch([
    readFromTables(selectTasks(selectIdsInOrder(ids), 'created', { hasAssignees }), tables),
    assertUnchanged(pending.isUnchanged),
  ] as const);
  const found = new Map(rows.map((row) => [row.id, { ...toListedTask(row, false), ...toAssignees(row) }]));
  return buildPage({
    range,
    total: subtasks.length,
    rows: page.flatMap((each) => {
      const task = found.get(each.id);
      return task ? [{ ...each, task }] : [];
    }),
    key: (each) => [each.place, each.id],
    show: ({ task }) => task,
  });
}

/** Lists unarchived subtasks in the order that an approval would give them: new tasks come before moved ones. */
function listPositions(
  { folded }: PendingSet,
  parent: number,
  stored: readonly (SubtaskPosition & { archived: number })[],
): SubtaskPosition[] {
  const tasks = [...folded.tasks.values()].filter(
    (task) =>
      getPendingParent(task) === parent && Number(task.changes.archived ?? task.stored?.archived ?? 0) === 0,
  );
  const kept = stored.filter(({ id, archived }) =>
    folded.tasks.has(id) ? tasks.some((task) => task.id === id) : archived === 0,
  );
  const added = tasks.filter((task) => task.stored?.parent !== parent);
  return [
    ...kept,
    ...[...added.filter((task) => task.stored === null), ...added.filter((task) => task.stored !== null)].map(
      ({ id }, index) => ({ id, place: ADDED_FROM + index }),
    ),
  ];
}
