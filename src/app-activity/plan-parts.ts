import { AppError } from '../kernel/errors/errors.ts';
import type { Context } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/sql/database.ts';
import { formatWording } from '../kernel/text/wording.ts';
import type { ChecklistLine } from '../schema/cell/checklists.ts';
import { type Checklist, type ChecklistEdit, replaceLines } from '../tasks/checklists/change-checklist.ts';
import type { StoredRelation } from '../tasks/model/relations.queries.ts';
import type { RecurrenceRow } from '../tasks/recurrence/recurrences.queries.ts';
import type { Rule } from '../tasks/recurrence/start-series.ts';
import { planRecurrence, type RecurrenceEdit } from '../tasks/write/recurrence-edits.ts';
import type { RelationEnd } from '../tasks/write/tasks.write.ts';
import type { OwnEntry } from '../time/tracking/entries.queries.ts';
import type { UndoStep } from './app-activity.schema.ts';
import { describeField } from './describe-change.ts';
import {
  describeAuthor,
  findOwnChange,
  type LogEntry,
  type OwnChange,
  TOO_MANY_CHANGES,
} from './log-entries.ts';

export interface RelationRemoval {
  readonly id: number;
  readonly stored: StoredRelation;
  readonly end: RelationEnd;
}

export interface Restoration {
  readonly task: number | null;
  readonly checklist?: ChecklistEdit;
  readonly recurrence?: RecurrenceEdit;
  readonly removedRelation?: RelationRemoval;
  readonly deletedEntry?: OwnEntry;
  readonly run?: (ctx: Context) => Promise<unknown>;
  /** The number of operations that this restoration counts as. Defaults to 1. */
  readonly weight?: number;
  /** Statements that abort the batch of `run` if something has changed since it was read. */
  readonly claims?: readonly Statement<void>[];
}

export interface PartStep extends Pick<UndoStep, 'label' | 'reason'> {
  readonly outcome: 'undo' | 'done' | 'kept' | 'impossible';
  readonly restoration?: Restoration;
}

/** Parts of a task that are planned in the same way as fields. */
export const plannedParts: readonly string[] = ['checklist', 'recurrence', 'relations'];

export interface TaskParts {
  readonly checklist: Checklist | undefined;
  readonly recurrence: RecurrenceRow | undefined;
}

export function planParts(
  ctx: Pick<Context, 'now' | 'caller' | 'words'>,
  task: number,
  log: readonly LogEntry[],
  { checklist, recurrence }: TaskParts,
  isTruncated: boolean,
): PartStep[] {
  return [
    ...(checklist ? planChecklist(task, log, checklist, isTruncated) : []),
    ...(recurrence ? planRule(ctx, log, recurrence, isTruncated) : []),
  ];
}

function planChecklist(
  task: number,
  log: readonly LogEntry[],
  current: Checklist,
  isTruncated: boolean,
): PartStep[] {
  const found = findPartChange('checklist', log);
  if (!found) return [];
  const label = describeField('checklist');
  const lines = found.first.replaced.checklist as ChecklistLine[] | undefined;
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
  const checklist = { task, before: current, after: replaceLines(current, lines) };
  return [{ label, outcome: 'undo', reason: null, restoration: { task, checklist } }];
}

function planRule(
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
      (found.first.changes.recurrence?.from ?? null) as Rule | null,
    );
    if (!recurrence) return [{ label, outcome: 'done', reason: null }];
    const kept = findReasonToKeep(found, isTruncated);
    if (kept) return [{ label, outcome: 'kept', reason: kept }];
    return [{ label, outcome: 'undo', reason: null, restoration: { task: current.id, recurrence } }];
  } catch (error) {
    return [{ label, outcome: 'impossible', reason: describeFailure(ctx, error) }];
  }
}

function findPartChange(name: string, log: readonly LogEntry[]): OwnChange | null {
  return findOwnChange(
    name,
    log.filter(({ changes }) => name in changes),
  );
}

export function findReasonToKeep(
  { isOverwritten, other }: Pick<OwnChange, 'isOverwritten' | 'other'>,
  isTruncated: boolean,
): string | null {
  if (isOverwritten) return describeAuthor(other?.actor ?? null);
  return isTruncated ? TOO_MANY_CHANGES : null;
}

export function describeFailure({ words }: Pick<Context, 'words'>, error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return formatWording(error.wording, words);
}
