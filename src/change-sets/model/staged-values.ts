import { buildFingerprint } from '../../kernel/operation/snapshot.ts';
import type { NewChecklistItems } from '../../tasks/checklist-items.ts';
import {
  type Checklist,
  type ChecklistEdit,
  emptyChecklist,
  mergeChecklistItems,
  replaceChecklistItems,
} from '../../tasks/checklists/change-checklist.ts';
import type { BulkTaskState } from '../../tasks/model/bulk-states.queries.ts';
import type { TaskDraft } from '../../tasks/model/insert.queries.ts';
import type { RecurrenceRow } from '../../tasks/recurrence/recurrences.queries.ts';
import type { SeriesRule } from '../../tasks/recurrence/start-series.ts';
import { toSeriesRule } from '../../tasks/write/recurrence-edits.ts';

/**
 * New values by column. A description is replaced by its fingerprint, because it can be long. A checklist is a JSON
 * array of its items without ids, and a recurrence is a JSON object.
 */
export type StagedValues = Partial<
  Record<
    keyof TaskDraft | 'archived' | 'reply_to' | 'started_at' | 'ended_at',
    string | number | null | undefined
  >
>;
export type StagedColumn = keyof StagedValues;

export interface StoredParts {
  readonly stored: BulkTaskState | null;
  readonly checklist?: Checklist | null | undefined;
  readonly recurrence?: RecurrenceRow | null | undefined;
}

/** The description is undefined if it was too long to read. */
export function toStagedValues({ stored, checklist, recurrence }: StoredParts): StagedValues {
  if (!stored) return {};
  const { description } = stored;
  return {
    ...pickStoredValues(stored),
    description: toDescriptionFingerprint(description),
    ...(checklist && { checklist: serializeChecklist(checklist.lines) }),
    ...(recurrence && { recurrence: serializeRecurrence(toSeriesRule(recurrence)) }),
  };
}

export function serializeRecurrence(rule: SeriesRule | null): string | null {
  return rule && JSON.stringify({ rule: rule.rule, mode: rule.mode, days: rule.days });
}

/** Returns undefined if the recurrence doesn't change, and null if the task stops repeating. */
export function getStagedRecurrence({
  changes,
}: {
  readonly changes: StagedValues;
}): SeriesRule | null | undefined {
  const { recurrence } = changes;
  return typeof recurrence === 'string'
    ? (JSON.parse(recurrence) as SeriesRule)
    : (recurrence as null | undefined);
}

export function serializeChecklist(lines: readonly NewChecklistItems[number][]): string {
  return JSON.stringify(lines.map(({ text, isDone }) => ({ text, isDone })));
}

export function getStagedChecklist({
  checklist,
  changes,
}: {
  readonly checklist: Checklist | null;
  readonly changes: StagedValues;
}): Pick<ChecklistEdit, 'before' | 'after'> | null {
  if (typeof changes.checklist !== 'string') return null;
  const before = checklist ?? emptyChecklist;
  const lines = mergeChecklistItems(before, JSON.parse(changes.checklist) as NewChecklistItems);
  return { before, after: replaceChecklistItems(before, lines) };
}

export function toDescriptionFingerprint(description: string | null | undefined): string | null | undefined {
  return description === undefined || description === null ? description : buildFingerprint(description);
}

const storedColumns = [
  'parent',
  'name',
  'status',
  'priority',
  'assignee',
  'other_assignees',
  'tags',
  'start_date',
  'due',
  'archived',
  'scheduled_time',
  'category',
  'type',
  'estimated_hours',
  'field_values',
] as const satisfies readonly StagedColumn[];

function pickStoredValues(stored: BulkTaskState): StagedValues {
  return Object.fromEntries(storedColumns.map((column) => [column, stored[column]]));
}
