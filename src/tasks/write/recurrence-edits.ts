import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import type { TaskDraft } from '../model/insert.queries.ts';
import { recurrenceMovedError, requirePlanWithRecurrences } from '../recurrence/recurrence.policy.ts';
import { getNextTaskTime, type Series } from '../recurrence/recurrence-days.ts';
import {
  assertRecurrencesUnchanged,
  type RecurrenceRow,
  removeRecurrenceRules,
  saveRecurrences,
} from '../recurrence/recurrences.queries.ts';
import {
  parseRecurrence,
  type RuleInput,
  ruleFieldNames,
  type SeriesRule,
  startSeries,
  taskFieldNames,
} from '../recurrence/start-series.ts';
import { toRepeatsColumn } from './next-tasks.ts';
import { recordRecurrenceChanges } from './tasks.write.ts';

export interface RecurrenceEdit {
  task: number;
  /** The version of the recurrence that was read, or 0 if the task has none. */
  version: number;
  from: SeriesRule | null;
  to: SeriesRule | null;
  series: Series | null;
}

export function toSeriesRule({ rule, mode, days }: RecurrenceRow): SeriesRule | null {
  return rule === null || mode === null ? null : { rule, mode, days };
}

/** @param to the new recurrence, or null if the task should stop repeating. */
export function planRecurrence(
  { now, caller }: Pick<Context, 'now' | 'caller'>,
  found: RecurrenceRow,
  to: SeriesRule | null,
  { due = found.due, names = ruleFieldNames } = {},
): RecurrenceEdit | null {
  if (to !== null) {
    requirePlanWithRecurrences(caller);
    if (found.rule === null && found.has_next === 1) throw recurrenceMovedError(found.id, found.next);
  }
  const from = toSeriesRule(found);
  if (JSON.stringify(from) === JSON.stringify(to)) return null;
  const series = to && startSeries(to, due, { now, timezone: caller.timezone, names });
  return { task: found.id, version: found.version ?? 0, from, to, series };
}

/** The batch must also assert that the tasks are unchanged. */
export function buildRecurrenceStatements(ctx: Context, edits: readonly RecurrenceEdit[]): Statement<void>[] {
  if (edits.length === 0) return [];
  const { caller } = ctx;
  const saved = edits.flatMap(({ task, series }) =>
    series ? [{ ...series, task, due_at: getNextTaskTime(series, caller.timezone) }] : [],
  );
  const removed = edits.filter(({ series }) => series === null).map(({ task }) => task);
  const changes = edits.map(({ task, from, to }) => ({
    task,
    repeats: to ? toRepeatsColumn(to.mode) : 0,
    change: { from, to },
  }));
  return [
    assertRecurrencesUnchanged(caller.workspace, edits),
    ...(saved.length > 0 ? [saveRecurrences(caller, saved)] : []),
    ...(removed.length > 0 ? removeRecurrenceRules(caller.workspace, removed) : []),
    ...recordRecurrenceChanges(ctx, changes),
  ];
}

export function addRecurrenceToDraft(
  { now, caller }: Pick<Context, 'now' | 'caller'>,
  draft: TaskDraft,
  input: RuleInput | null | undefined,
): TaskDraft {
  if (!input) return draft;
  const rule = parseRecurrence(input, taskFieldNames);
  requirePlanWithRecurrences(caller);
  const series = startSeries(rule, draft.due, { now, timezone: caller.timezone, names: taskFieldNames });
  return {
    ...draft,
    repeats: toRepeatsColumn(rule.mode),
    recurrence: { ...series, due_at: getNextTaskTime(series, caller.timezone) },
  };
}
