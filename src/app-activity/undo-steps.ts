import { toChanges } from '../events/feed/events.present.ts';
import { fields } from '../tasks/field-values.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { AppChange } from './app-activity.queries.ts';
import type { UndoStep } from './app-activity.schema.ts';
import { describeChange, describeField } from './describe-change.ts';
import type { LogEntry } from './log-entries.ts';
import { type PartStep, plannedParts, type Restoration } from './plan-parts-undo.ts';
import { listRelationChanges } from './plan-relations-undo.ts';

/**
 * The stages of an undo, in order. The number of statements per request is limited, so a request undoes only changes to
 * fields, changes to parts such as checklists, or changes that only an operation with its own batches can undo.
 */
export type UndoStage = 'fields' | 'parts' | 'others';
export type PlannedStep = UndoStep & { readonly stage?: UndoStage };

type TaskName = Pick<UndoStep, 'task' | 'name'>;

export const toTaskName = ({ id, name }: BulkTaskState): TaskName => ({ task: id, name });

export function buildUndoStep(
  task: BulkTaskState,
  label: string,
  outcome: UndoStep['outcome'],
  reason: string | null = null,
): UndoStep {
  return { ...toTaskName(task), label, outcome, reason };
}

interface PartOptions {
  readonly runsLeft: number;
  readonly isWaiting?: boolean;
  readonly isArchived?: boolean;
}

/**
 * Adds a step for each of the task's parts, and returns the restorations that this request performs. At most one of
 * them runs an operation, because an operation changes the task's history, and the plan is then out of date.
 */
export function addPartSteps(
  steps: PlannedStep[],
  parts: readonly PartStep[],
  name: TaskName,
  { runsLeft, isWaiting = false, isArchived = false }: PartOptions,
): Restoration[] {
  const restorations: Restoration[] = [];
  for (const { label, outcome, reason, restoration } of parts) {
    const addStep = (as: UndoStep['outcome'], why: string | null = null, stage: UndoStage = 'fields') =>
      steps.push({ ...name, label, outcome: as, reason: why, stage });
    const runsAlone = restoration?.run !== undefined;
    const hasRun = restorations.some(({ run }) => run);
    if (!restoration) addStep(outcome, reason);
    else if (isWaiting) addStep('later');
    else if (isArchived) addStep('kept', 'The task has since been archived.');
    else if (runsAlone && (hasRun || runsLeft < (restoration.weight ?? 1))) addStep('later');
    else {
      restorations.push(restoration);
      addStep('undo', null, runsAlone ? 'others' : 'parts');
    }
  }
  return restorations;
}

export function listImpossibleSteps(
  task: BulkTaskState,
  changes: readonly AppChange[],
  log: readonly LogEntry[],
): UndoStep[] {
  return changes.flatMap((change) => {
    const { type } = change;
    if (/^(comment|time_entry)\.|^task\.(archived|unarchived)$/.test(type)) return [];
    if (type !== 'task.updated') return [toImpossibleStep(task, change)];
    const entry = log.find(({ seq }) => seq === change.seq);
    const isPlanned = (name: string) =>
      name === 'relations' && entry
        ? listRelationChanges(task.id, entry).length > 0
        : plannedParts.includes(name) || fields.some((field) => field.name === name);
    const others = Object.keys(toChanges(change.changes)).filter((name) => !isPlanned(name));
    return others.map((name) =>
      buildUndoStep(task, describeField(name), 'impossible', "The previous value wasn't kept."),
    );
  });
}

export function toImpossibleStep(task: BulkTaskState | null, { type }: AppChange): UndoStep {
  return {
    task: task?.id ?? null,
    name: task?.name ?? null,
    label: describeChange(type),
    outcome: 'impossible',
    reason: describeWhyImpossible(type),
  };
}

function describeWhyImpossible(type: string): string {
  if (type.startsWith('attachment.'))
    return "Changes to files can't be undone here. Add or delete files on the task's page.";
  return "This kind of change can't be undone.";
}
