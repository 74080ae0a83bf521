import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Results, readFromTables, type SQL, type Statement } from '../../kernel/sql/database.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { toChecklist } from '../../tasks/checklists/change-checklist.ts';
import { areTasksUnchanged } from '../../tasks/model/tasks.queries.ts';
import {
  type ChangeSetRow,
  findChangeSet,
  isSetUnchanged,
  listCommentTargets,
  listItems,
  listKnownReferences,
  listOverlappingItems,
  listParentsToArchive,
  listReplacedChecklists,
  listReplacedRecurrences,
  listStagedTrees,
  listStoredTasks,
} from '../model/change-sets.queries.ts';
import { type FoldedItems, foldItems, type StagedItem, type StoredState } from '../model/fold-items.ts';
import { changeSetNotFoundError } from '../model/limits.ts';
import { buildPendingTables, type PendingTasks } from './pending-tasks.queries.ts';

export interface PendingSet {
  readonly set: ChangeSetRow;
  readonly items: readonly StagedItem[];
  readonly state: StoredState;
  readonly folded: FoldedItems;
  readonly ids: readonly number[];
  /** True if neither the set nor any of its tasks has changed since the set was read. */
  readonly isUnchanged: SQL;
}

export async function readPendingSet({ db, caller }: Context, id: number): Promise<PendingSet> {
  return toPendingSet(caller, id, await db.batch(selectPendingSet(caller, id)));
}

export function selectPendingSet(caller: Caller, id: number) {
  return [
    findChangeSet(caller, id),
    listItems(caller, id),
    listStoredTasks(caller, id),
    listKnownReferences(caller, id),
    listReplacedChecklists(caller, id),
    listParentsToArchive(caller, id),
    listCommentTargets(caller, id),
    listStagedTrees(caller, id),
    listReplacedRecurrences(caller, id),
    listOverlappingItems(caller, id),
  ] as const;
}

export function toPendingSet(
  caller: Caller,
  id: number,
  [set, items, tasks, references, checklists, parents, targets, trees, recurrences, overlapping]: Results<
    ReturnType<typeof selectPendingSet>
  >,
): PendingSet {
  if (!set) throw changeSetNotFoundError(id);
  const state: StoredState = {
    tasks: new Map(tasks.map((task) => [task.id, task])),
    projects: new Set(references.flatMap(({ project }) => project ?? [])),
    members: new Set(references.flatMap(({ member }) => member ?? [])),
    checklists: new Map(checklists.map((row) => [row.task, toChecklist(row)])),
    parents: new Set(parents.map((each) => each.id)),
    trees,
    overlapping: new Set(overlapping.map(({ no }) => no)),
    recurrences: new Map(recurrences.map((row) => [row.id, row])),
    commentTargets: new Map(targets.map((target) => [target.no, target])),
  };
  const folded = foldItems(items, state);
  return {
    set,
    items,
    state,
    folded,
    ids: [...folded.tasks.keys()],
    isUnchanged: isSetUnchanged(caller, set, areTasksUnchanged(caller, tasks)),
  };
}

/** Cached per request, because one tool call can read several lists. Each read asserts that the set is unchanged. */
const openSets = new WeakMap<RequestScope, Promise<PendingSet>>();

export function readOpenSet(ctx: Context): Promise<PendingSet> {
  const { changeSet } = ctx.caller;
  if (changeSet === null) throw new Error('the app has no open change set');
  const found = openSets.get(ctx.request) ?? readPendingSet(ctx, changeSet);
  openSets.set(ctx.request, found);
  return found;
}

/** Call this before and after each change to the open set, and after an error. */
export function forgetOpenSet(request: RequestScope) {
  openSets.delete(request);
}

export function toPendingTasks({ set, folded }: PendingSet, now: number): PendingTasks {
  return { set, tasks: [...folded.tasks.values()], now };
}

/**
 * Returns a context whose reads include the staged changes. Its statements must not write, and must not name an index
 * of the `tasks` table.
 */
export function createPendingContext(
  ctx: Context,
  pending: PendingSet,
  others: readonly number[] = [],
): Context {
  const tables = buildPendingTables(ctx.caller, toPendingTasks(pending, ctx.now), others);
  const db = {
    batch: (statements: readonly Statement[]) =>
      ctx.db.batch(statements.map((statement) => readFromTables(statement, tables))),
  };
  return { ...ctx, db: db as unknown as GuardedDatabase };
}
