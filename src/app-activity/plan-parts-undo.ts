import { AppError } from '../kernel/errors/errors.ts';
import type { Context } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/sql/database.ts';
import { formatWording } from '../kernel/text/wording.ts';
import type { ChecklistItem } from '../schema/cell/checklists.ts';
import {
  type Checklist,
  type ChecklistEdit,
  replaceChecklistItems,
} from '../tasks/checklists/change-checklist.ts';
import type { StoredRelation } from '../tasks/model/relations.queries.ts';
import type { RecurrenceRow } from '../tasks/recurrence/recurrences.queries.ts';
import type { SeriesRule } from '../tasks/recurrence/start-series.ts';
import { planRecurrence, type RecurrenceEdit } from '../tasks/write/recurrence-edits.ts';
import type { RecordedRelation } from '../tasks/write/tasks.write.ts';
import type { OwnEntry } from '../time/tracking/entries.queries.ts';
import type { UndoStep } from './app-activity.schema.ts';
import { describeField } from './describe-change.ts';
import {
  describeLaterChange,
  findSessionChange,
  type LogEntry,
  type SessionChange,
  TOO_MANY_CHANGES_REASON,
} from './log-entries.ts';

export interface RelationRemoval {
  readonly id: number;
  readonly stored: StoredRelation;
  readonly end: RecordedRelation;
}

export interface Restoration {
  readonly task: number | null;
  readonly checklist?: ChecklistEdit;
  readonly recurrence?: RecurrenceEdit;
  readonly removedRelation?: RelationRemoval;
  readonly deletedEntry?: OwnEntry;
  readonly run?: (ctx: Context) => Promise<unknown>;
  /** How many operations `run` counts as toward the limit per request. Defaults to 1. */
  readonly weight?: number;
  /** Statements that abort the batch of `run` if the values to restore have changed since the plan was made. */
  readonly assertions?: readonly Statement<void>[];
}

export interface PartStep extends Pick<UndoStep, 'label' | 'reason'> {
  readonly outcome: 'undo' | 'done' | 'kept' | 'impossible';
  readonly restoration?: Restoration;
}

/** The fields of `task.updated` events that `planPartsUndo` and `planRelationsUndo` can undo. */
export const plannedParts: readonly string[] = ['checklist', 'recurrence', 'relations'];

export interface TaskParts {
  readonly checklist: Checklist | undefined;
  readonly recurrence: RecurrenceRow | undefined;
}

export function planPartsUndo(
  ctx: Pick<Context, 'now' | 'caller' | 'words'>,
  task: number,
  log: readonly LogEntry[],
  { checklist, recurrence }: TaskParts,
  isTruncated: boolean,
): PartStep[] {
  return [
    ...(checklist ? planChecklistUndo(task, log, checklist, isTruncated) : []),
    ...(recurrence ? planRecurrenceUndo(ctx, log, recurrence, isTruncated) : []),
  ];
}

function planChecklistUndo(
  task: number,
  log: readonly LogEntry[],
  current: Checklist,
  isTruncated: boolean,
): PartStep[] {
  const found = findPartChange('checklist', log);
  if (!found) return [];
  const label = describeField('checklist');
  const lines = found.first.replaced.checklist as ChecklistItem[] | undefined;
  if (!lines) {
    return [
      found.isRestored
        ? { label, outcome: 'done', reason: null }
        : { label, outcome: 'impossible', reason: 'The previous checklist was too long to keep.' },
    ];
  }
  if (JSON.stringify(lines) === JSON.stringify(current.lines))
    return [{ label, outcome: 'done', reason: null }];
  const kept = findReasonToKeep(found, isTruncated);
  if (kept) return [{ label, outcome: 'kept', reason: kept }];
  const checklist = { task, before: current, after: replaceChecklistItems(current, lines) };
  return [{ label, outcome: 'undo', reason: null, restoration: { task, checklist } }];
}

function planRecurrenceUndo(
  ctx: Pick<Context, 'now' | 'caller' | 'words'>,
  log: readonly LogEntry[],
  current: RecurrenceRow,
  isTruncated: boolean,
): PartStep[] {
  const found = findPartChange('recurrence', log);
  if (!found) return [];
  const label = describeField('recurrence');
  try {
    const recurrence = planRecurrence(
      ctx,
      current,
      (found.first.changes.recurrence?.from ?? null) as SeriesRule | null,
    );
    if (!recurrence) return [{ label, outcome: 'done', reason: null }];
    const kept = findReasonToKeep(found, isTruncated);
    if (kept) return [{ label, outcome: 'kept', reason: kept }];
    return [{ label, outcome: 'undo', reason: null, restoration: { task: current.id, recurrence } }];
  } catch (error) {
    return [{ label, outcome: 'impossible', reason: describeFailure(ctx, error) }];
  }
}

function findPartChange(name: string, log: readonly LogEntry[]): SessionChange | null {
  return findSessionChange(
    name,
    log.filter(({ changes }) => name in changes),
  );
}

export function findReasonToKeep(
  { isOverwritten, other }: Pick<SessionChange, 'isOverwritten' | 'other'>,
  isTruncated: boolean,
): string | null {
  if (isOverwritten) return describeLaterChange(other?.actor ?? null);
  return isTruncated ? TOO_MANY_CHANGES_REASON : null;
}

export function describeFailure({ words }: Pick<Context, 'words'>, error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return formatWording(error.wording, words);
}
