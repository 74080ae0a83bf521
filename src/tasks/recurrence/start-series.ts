import { countDaysBetween, toWallClock } from '../../kernel/dates/civil-date.ts';
import { parseRule } from '../../meetings/recurrence/rrule-text.ts';
import { DAYS_AHEAD_MAX } from '../../meetings/recurrence/rule-days.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { daysWithScheduleError, farDeadlineError, neverRepeatsError } from './recurrence.policy.ts';
import { findFirstSlot, findNextDay, type Series } from './recurrence-days.ts';

export type Rule = Pick<Series, 'rule' | 'mode' | 'days'>;

export interface RuleInput {
  rule: string;
  mode: Rule['mode'];
  days?: number | null | undefined;
}

interface FieldNames {
  rule: string;
  days: string;
}

export const ruleFieldNames: FieldNames = { rule: 'rule', days: 'days' };
/** Used if the recurrence is a field of the task in the request. */
export const taskFieldNames: FieldNames = { rule: 'recurrence', days: 'recurrence' };

export function parseRecurrence({ rule: text, mode, days = null }: RuleInput, names = ruleFieldNames): Rule {
  const rule = text.toUpperCase().replace(/^RRULE:/, '');
  parseRule(rule, ({ field }) => field(names.rule));
  if (mode === 'schedule' && days !== null) throw daysWithScheduleError(days, names.days);
  return { rule, mode, days };
}

/** Throws 400 if the task would never repeat. */
export function startSeries(
  rule: Rule,
  due: string,
  { now, timezone, names = ruleFieldNames }: { now: number; timezone: string; names?: FieldNames },
): Series {
  const today = toWallClock(now, timezone).date;
  const deadline = due === NO_DEADLINE ? null : due;
  if (deadline !== null && Math.abs(countDaysBetween(deadline, today)) > DAYS_AHEAD_MAX) {
    throw farDeadlineError(deadline);
  }
  const slot = findFirstSlot(deadline, today);
  const series = { ...rule, first_day: deadline ?? today, slot, occurrence: 1 };
  if (findNextDay(series, today, timezone) === null) throw neverRepeatsError(rule.rule, slot, names.rule);
  return series;
}
