import { countDaysBetween, toWallClock } from '../../kernel/dates/civil-date.ts';
import { parseRule } from '../../meetings/recurrence/rrule-text.ts';
import { DAYS_AHEAD_MAX } from '../../meetings/recurrence/rule-days.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { daysNotAllowedError, deadlineTooFarError, ruleNeverRepeatsError } from './recurrence.policy.ts';
import { findFirstSlot, findNextDay, type Series } from './recurrence-days.ts';

export type SeriesRule = Pick<Series, 'rule' | 'mode' | 'days'>;

export interface RuleInput {
  rule: string;
  mode: SeriesRule['mode'];
  days?: number | null | undefined;
}

interface RuleFieldNames {
  rule: string;
  days: string;
}

export const ruleFieldNames: RuleFieldNames = { rule: 'rule', days: 'days' };
/** Used if the recurrence is a field of the task in the request. */
export const taskFieldNames: RuleFieldNames = { rule: 'recurrence', days: 'recurrence' };

export function parseRecurrence(
  { rule: text, mode, days = null }: RuleInput,
  names = ruleFieldNames,
): SeriesRule {
  const rule = text.toUpperCase().replace(/^RRULE:/, '');
  parseRule(rule, ({ field }) => field(names.rule));
  if (mode === 'schedule' && days !== null) throw daysNotAllowedError(days, names.days);
  return { rule, mode, days };
}

/** Throws 400 if the task would never repeat, or if its deadline is too far from today. */
export function startSeries(
  rule: SeriesRule,
  due: string,
  { now, timezone, names = ruleFieldNames }: { now: number; timezone: string; names?: RuleFieldNames },
): Series {
  const today = toWallClock(now, timezone).date;
  const deadline = due === NO_DEADLINE ? null : due;
  if (deadline !== null && Math.abs(countDaysBetween(deadline, today)) > DAYS_AHEAD_MAX) {
    throw deadlineTooFarError(deadline);
  }
  const slot = findFirstSlot(deadline, today);
  const series = { ...rule, first_day: deadline ?? today, slot, occurrence: 1 };
  if (findNextDay(series, today, timezone) === null) throw ruleNeverRepeatsError(rule.rule, slot, names.rule);
  return series;
}
