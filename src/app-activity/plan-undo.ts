import type { Context } from '../kernel/operation/operation.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import { getEffectiveChanges } from '../tasks/write/edit-task.ts';
import { type AppChange, type AppComment, ENTRIES_PER_TASK_MAX } from './app-activity.queries.ts';
import { type LogEntry, mergeEntries } from './log-entries.ts';
import { planCommentsUndo } from './plan-comments-undo.ts';
import { isMeetingChange, planMeetingsUndo } from './plan-meetings-undo.ts';
import { planPartsUndo, type Restoration } from './plan-parts-undo.ts';
import { planRelationsUndo } from './plan-relations-undo.ts';
import { planTaskUndo, type UndoInput } from './plan-task-undo.ts';
import { planTimeEntriesUndo } from './plan-time-undo.ts';
import { addPartSteps, type PlannedStep, toImpossibleStep } from './undo-steps.ts';

export interface UndoPlan {
  readonly steps: readonly PlannedStep[];
  readonly restorations: readonly Restoration[];
  readonly edits: readonly { readonly task: BulkTaskState; readonly changes: TaskChanges }[];
  readonly comments: readonly AppComment[];
  readonly hidden: number;
}

const TEXT_CHARACTERS_MAX = 1_000_000;
/** Each operation sends up to fifteen statements, and a request may send only 50. */
const OPERATIONS_PER_REQUEST_MAX = 2;

/**
 * Decides what to restore. Each field returns to its value before the session, or to the last value that someone else
 * set during the session. A field that someone else has changed after the app keeps its value. A new task is archived
 * unless someone else has changed it. Earlier undos don't count as changes by other people, so a person can undo a
 * session in several steps.
 */
export function planUndo(ctx: Pick<Context, 'now' | 'caller' | 'words'>, input: UndoInput): UndoPlan {
  const byTask = Map.groupBy(input.changes, ({ task }) => task);
  const logs = buildLogs(input);
  const truncated = new Set(
    [...Map.groupBy(input.history, ({ task }) => task)].flatMap(([task, entries]) =>
      entries.length >= ENTRIES_PER_TASK_MAX ? [task] : [],
    ),
  );
  const relations = planRelationsUndo(logs, input.parts.relations, truncated, ctx.words);
  const existing = new Set(input.comments.map(({ id }) => id));
  const steps: PlannedStep[] = [];
  const restorations: Restoration[] = [];
  const edits: { task: BulkTaskState; changes: TaskChanges }[] = [];
  const comments: AppComment[] = [];
  let hidden = 0;
  let charactersLeft = TEXT_CHARACTERS_MAX;
  let runsLeft = OPERATIONS_PER_REQUEST_MAX;
  for (const [id, changes] of byTask) {
    const task = id === null ? undefined : input.tasks.get(id);
    if (id !== null && !task) {
      hidden += changes.length;
      continue;
    }
    if (!task) {
      const planned = planUndoWithoutTask(ctx, changes, input, runsLeft);
      runsLeft -= sumWeights(planned.restorations);
      steps.push(...planned.steps);
      restorations.push(...planned.restorations);
      continue;
    }
    const log = logs.get(task.id) ?? [];
    const isTruncated = truncated.has(task.id);
    const parts = [
      ...planPartsUndo(
        ctx,
        task.id,
        log,
        { checklist: input.parts.checklists.get(task.id), recurrence: input.parts.recurrences.get(task.id) },
        isTruncated,
      ),
      ...(relations.get(task.id) ?? []),
      ...planCommentsUndo(task.id, log, existing, input.author),
      ...planTimeEntriesUndo(ctx.caller, changes, input.parts.entries, input.author === ctx.caller.member),
    ];
    const planned = planTaskUndo({ task, changes, log, isTruncated, parts, runsLeft, charactersLeft }, input);
    runsLeft -= sumWeights(planned.restorations);
    steps.push(...planned.steps);
    restorations.push(...planned.restorations);
    comments.push(...planned.comments);
    charactersLeft -= planned.changes.description?.length ?? 0;
    const effective = getEffectiveChanges(task, planned.changes);
    if (Object.keys(effective).length > 0) edits.push({ task, changes: effective });
  }
  return { steps, restorations, edits, comments, hidden };
}

function buildLogs({ changes, history }: UndoInput): ReadonlyMap<number, readonly LogEntry[]> {
  const changesByTask = Map.groupBy(changes, ({ task }) => task);
  const historyByTask = Map.groupBy(history, ({ task }) => task);
  const ids = [...new Set([...changesByTask.keys(), ...historyByTask.keys()])];
  return new Map(
    ids.flatMap((id) =>
      id === null ? [] : [[id, mergeEntries(changesByTask.get(id) ?? [], historyByTask.get(id) ?? [])]],
    ),
  );
}

function sumWeights(restorations: readonly Restoration[]): number {
  return restorations.reduce((sum, { run, weight = 1 }) => sum + (run ? weight : 0), 0);
}

function planUndoWithoutTask(
  ctx: Pick<Context, 'now' | 'caller'>,
  changes: readonly AppChange[],
  { parts }: UndoInput,
  runsLeft: number,
): Pick<UndoPlan, 'steps' | 'restorations'> {
  const meetings = planMeetingsUndo(ctx, changes, parts.meetings);
  const steps: PlannedStep[] = [];
  const restorations = addPartSteps(steps, meetings, { task: null, name: null }, { runsLeft });
  const others = changes.filter((change) => !isMeetingChange(change));
  steps.push(...others.map((change) => toImpossibleStep(null, change)));
  return { steps, restorations };
}
