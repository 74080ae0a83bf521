import type { Context } from '../kernel/operation/operation.ts';
import type { Vocabulary } from '../kernel/text/wording.ts';
import type { StoredRelation } from '../tasks/model/relations.queries.ts';
import {
  type NewRelation,
  requireRelationAllowed,
  toStoredRelation,
} from '../tasks/relations/relations.policy.ts';
import type { RelationChecks, RelationState } from '../tasks/relations/relations.queries.ts';
import type { RelationType } from '../tasks/relations/relations.schema.ts';
import { addRelation } from '../tasks/relations/relations.ts';
import type { RelationChange } from '../tasks/write/tasks.write.ts';
import type { LogEntry } from './log-entries.ts';
import { describeFailure, findReasonToKeep, type PartStep } from './plan-parts-undo.ts';

/** `limits` is set for relations that the app has deleted. */
export type CurrentRelation = RelationState & { readonly limits?: RelationChecks | undefined };

interface LoggedRelationChange {
  readonly task: number;
  readonly entry: LogEntry;
  readonly change: RelationChange;
  readonly end: { readonly type: RelationType; readonly taskId: number };
  readonly stored: StoredRelation;
}

export function listRelationChanges(task: number, entry: LogEntry): LoggedRelationChange[] {
  const single = entry.changes.relations ?? null;
  const changes = (entry.replaced.relations ?? (single ? [single] : [])) as RelationChange[];
  return changes.map((change) => {
    const { type, task: other } = change.to ?? change.from;
    const end = { type: type as RelationType, taskId: other.id };
    return { task, entry, change, end, stored: toStoredRelation({ ...end, id: task }) };
  });
}

export const toRelationKey = ({ type, source, target }: StoredRelation) => `${type} ${source} ${target}`;

/**
 * Plans each relation only once, even if the app changed it several times or from both of its tasks. Groups the steps
 * by the task on which the relation was changed.
 */
export function planRelationsUndo(
  logs: ReadonlyMap<number, readonly LogEntry[]>,
  states: ReadonlyMap<string, CurrentRelation>,
  truncated: ReadonlySet<number>,
  words: Vocabulary,
): ReadonlyMap<number, PartStep[]> {
  const changes = [...logs].flatMap(([task, log]) =>
    log.flatMap((entry) => listRelationChanges(task, entry)),
  );
  const byRelation = Map.groupBy(changes, ({ stored }) => toRelationKey(stored));
  const plan = (problemWords: Vocabulary | null) =>
    [...byRelation].flatMap(([key, ofRelation]) => {
      const state = states.get(key);
      return state ? planRelationUndo(ofRelation, state, truncated, problemWords) : [];
    });
  const optimistic = plan(null);
  // Ignores the limits while the plan still deletes relations, because deleting them makes room for restored ones.
  const hasRemovals = optimistic.some(({ step }) => step.restoration?.removedRelation);
  const planned = hasRemovals ? optimistic : plan(words);
  const byTask = Map.groupBy(planned, ({ task }) => task);
  return new Map([...byTask].map(([task, steps]) => [task, steps.map(({ step }) => step)]));
}

function planRelationUndo(
  unordered: readonly LoggedRelationChange[],
  state: CurrentRelation,
  truncated: ReadonlySet<number>,
  problemWords: Vocabulary | null,
): { task: number; step: PartStep }[] {
  const changes = unordered.toSorted((one, other) => one.entry.seq - other.entry.seq);
  const lastUndo = changes.findLast(({ entry }) => entry.isUndo)?.entry.seq ?? 0;
  const other = changes.findLast(
    ({ entry: { isOwn, isUndo, isOfApp, seq } }) => !isOwn && !isUndo && !(isOfApp && seq < lastUndo),
  );
  const own = changes.filter(({ entry }) => entry.isOwn);
  const latest = own.filter(({ entry }) => entry.seq > (other?.entry.seq ?? 0));
  const [first] = latest.length > 0 ? latest : own;
  if (!first) return [];
  const { task, end, stored, change } = first;
  const wasAdded = change.to !== null;
  const label = wasAdded ? 'Added a relation' : 'Deleted a relation';
  const plan = (outcome: PartStep['outcome'], reason: string | null = null) => [
    { task, step: { label, outcome, reason } },
  ];
  if ((state.id === null) === wasAdded) return plan('done');
  if (state.is_visible === 0) return plan('impossible', "You can't see the other task.");
  const isOverwritten = latest.length === 0;
  const kept = findReasonToKeep({ isOverwritten, other: other?.entry }, truncated.has(task));
  if (kept) return plan('kept', kept);
  const problem =
    problemWords && state.limits && findRelationProblem({ ...end, id: task }, state.limits, problemWords);
  if (problem) return plan('impossible', problem);
  const restoration =
    state.id === null
      ? { task, run: (ctx: Context) => addRelation.handler(ctx, { id: task, ...end }) }
      : {
          task,
          removedRelation: { id: state.id, stored, end: { type: end.type, task: { id: end.taskId } } },
        };
  return [{ task, step: { label, outcome: 'undo', reason: null, restoration } }];
}

function findRelationProblem(
  relation: NewRelation,
  limits: RelationChecks,
  words: Vocabulary,
): string | null {
  try {
    requireRelationAllowed(relation, limits);
    return null;
  } catch (error) {
    return describeFailure({ words }, error);
  }
}
