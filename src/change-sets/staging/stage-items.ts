import type { Context } from '../../kernel/operation/operation.ts';
import type { ReplacementTables, Statement } from '../../kernel/sql/database.ts';
import type { Checklist } from '../../tasks/checklists/change-checklist.ts';
import type { TreeRow } from '../../tasks/hierarchy/hierarchy.queries.ts';
import type { BulkTaskState } from '../../tasks/model/bulk-states.queries.ts';
import type { RecurrenceRow } from '../../tasks/recurrence/recurrences.queries.ts';
import {
  assertSetUnchanged,
  countItemBytes,
  insertItems,
  type NewItem,
} from '../model/change-sets.queries.ts';
import { type CommentTarget, foldItems, listNewAssignees } from '../model/fold-items.ts';
import { requireOpenSetWithSpace } from '../model/limits.ts';
import type { StagedColumn } from '../model/staged-values.ts';
import type { PendingSet } from '../pending/pending-set.ts';
import { buildPendingTables } from '../pending/pending-tasks.queries.ts';

interface StagedBatch {
  readonly writes: readonly Statement<void>[];
  readonly tables: ReplacementTables;
}

export interface AffectedTasks {
  /** Stored tasks that the set changes for the first time. */
  readonly touched?: readonly BulkTaskState[];
  readonly checklists?: ReadonlyMap<number, Checklist>;
  readonly commentTargets?: ReadonlyMap<number, CommentTarget>;
  readonly recurrences?: ReadonlyMap<number, RecurrenceRow>;
  /** Includes the trees that the set already needed. */
  readonly trees?: readonly TreeRow[] | undefined;
  /** Ids of the tasks to read after the write, including unchanged ones. */
  readonly read?: readonly number[];
}

export function stageItems(
  { caller, now, db }: Context,
  { set, items, state }: PendingSet,
  added: readonly NewItem[],
  {
    touched = [],
    checklists = new Map(),
    commentTargets = new Map(),
    recurrences = new Map(),
    trees = state.trees,
    read = [],
  }: AffectedTasks = {},
): StagedBatch {
  requireOpenSetWithSpace(set, added.length, countItemBytes(added), now);
  const listNumbers = (column: StagedColumn) =>
    added.flatMap(({ changes }) => (typeof changes[column] === 'number' ? [changes[column]] : []));
  const folded = foldItems([...items, ...added], {
    tasks: new Map([...touched.map((task) => [task.id, task] as const), ...state.tasks]),
    projects: new Set([...state.projects, ...listNumbers('project')]),
    parents: state.parents,
    overlapping: state.overlapping,
    trees,
    recurrences: new Map([...recurrences, ...state.recurrences]),
    checklists: new Map([...checklists, ...state.checklists]),
    commentTargets: new Map([...state.commentTargets, ...commentTargets]),
    members: new Set([
      ...state.members,
      ...added.flatMap(({ changes }) => listNewAssignees({ stored: null, changes })),
    ]),
  });
  // Records the set with the idempotency key, so that a retry adds nothing.
  db.setKeyEntity(JSON.stringify({ changeSet: set.id }));
  const pending = {
    set: { ...set, changed_at: Math.max(set.changed_at, now) },
    tasks: [...folded.tasks.values()],
    now,
  };
  return {
    writes: [
      assertSetUnchanged(caller, set),
      ...(added.length > 0 ? insertItems(caller, set, added, now) : []),
    ],
    tables: buildPendingTables(caller, pending, read),
  };
}
