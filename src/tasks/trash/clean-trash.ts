import type { CellJob } from '../../kernel/operation/jobs.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { type Allowance, countAffordableUnits } from '../../kernel/sql/budget.ts';
import { type Database, WriteConflictError } from '../../kernel/sql/database.ts';
import {
  groupByHiding,
  hasTrashToClean,
  hideMoreNotifications,
  listExpiredTrash,
  listProjectTrash,
  listTrashWithVisibleNotifications,
  removeTrashSlice,
  STATEMENTS_PER_HIDING,
  STATEMENTS_PER_TRASH_SLICE,
  type TrashEntry,
} from './expired-trash.queries.ts';

const TRASH_DAYS = 30;
export const TRASH_LIFETIME_MS = TRASH_DAYS * 24 * 60 * 60_000;
const TASKS_PER_RUN = 20;
/** One request can delete this many tasks, and their notifications are hidden together. */
const TASKS_HIDDEN_PER_RUN = 100;

/**
 * A run can stop after any slice and can overlap with another, because each slice selects its rows in its own
 * transaction.
 */
export const cleanTrash: CellJob = {
  name: 'trash.clean',
  cost: 2 + STATEMENTS_PER_TRASH_SLICE,
  isDue: ({ now }) => hasTrashToClean(now - TRASH_LIFETIME_MS),
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [unfinished, expired] = await cell.batch([
      listTrashWithVisibleNotifications(TASKS_HIDDEN_PER_RUN),
      listExpiredTrash(scope.now - TRASH_LIFETIME_MS, TASKS_PER_RUN),
    ]);
    for (const tasks of groupByHiding(unfinished)) {
      if (countAffordableUnits(allowance, STATEMENTS_PER_HIDING, 1) === 0) return true;
      await hideNotificationsFromMorePeople(cell, tasks);
    }
    const isComplete = await removeTrashEntries(cell, expired, scope.now, allowance);
    return !isComplete || unfinished.length > 0 || expired.length === TASKS_PER_RUN;
  },
};

/** Returns false if the allowance is used up before all tasks are removed. */
export async function removeProjectTrash(
  cell: Database,
  project: number,
  now: number,
  allowance: Allowance,
): Promise<boolean> {
  for (;;) {
    if (countAffordableUnits(allowance, 1, 1) === 0) return false;
    const [entries] = await cell.batch([listProjectTrash(project, TASKS_PER_RUN)]);
    if (!(await removeTrashEntries(cell, entries, now, allowance))) return false;
    if (entries.length < TASKS_PER_RUN) return true;
  }
}

async function hideNotificationsFromMorePeople(
  cell: Database,
  tasks: Parameters<typeof hideMoreNotifications>[0],
) {
  try {
    await cell.batch(hideMoreNotifications(tasks));
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error;
  }
}

async function removeTrashEntries(
  cell: Database,
  entries: readonly TrashEntry[],
  now: number,
  allowance: Allowance,
): Promise<boolean> {
  for (const entry of entries) {
    for (let isLeft = true; isLeft; ) {
      if (countAffordableUnits(allowance, STATEMENTS_PER_TRASH_SLICE, 1) === 0) return false;
      // A slice can remove nothing, because the row of the cell's newest task is kept until there is a newer one.
      const slice = await batchByName(cell, removeTrashSlice(entry, now));
      isLeft = slice.comments + slice.timeEntries + slice.files + slice.events + slice.removed.length > 0;
    }
  }
  return true;
}
