import type { Caller } from '../../kernel/access/access.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { YEARS_AHEAD_MAX } from '../../meetings/recurrence/rule-days.ts';

export function recurrenceNotFoundError(id: number): AppError {
  return new AppError(
    'not_found',
    ({ call }) => `Task ${id} doesn't repeat. ${call('setRecurrence', { id })} makes it repeat.`,
  );
}

export function requirePlanWithRecurrences({ plan }: Pick<Caller, 'plan'>) {
  if (plan !== 'free') return;
  throw new AppError(
    'forbidden_plan',
    "This workspace's plan doesn't include recurring tasks. Upgrade to the Medium or Pro plan.",
  );
}

export function daysNotAllowedError(days: number, name: string): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field(name)} must not be sent with mode schedule; got ${days}. Use mode completion, or omit it.`,
  );
}

/** @param next the id of the next task, or null if the caller can't see it. */
export function recurrenceMovedError(id: number, next: number | null): AppError {
  return invalidRequestError(
    ({ call }) =>
      `Task ${id} no longer repeats, because the rule has moved to the next task.${next === null ? '' : ` Change it with ${call('setRecurrence', { id: next })}.`}`,
  );
}

export function deadlineTooFarError(deadline: string): AppError {
  return invalidRequestError(
    `deadline of a recurring task must be within ${YEARS_AHEAD_MAX} years of today; got '${deadline}'`,
  );
}

export function ruleNeverRepeatsError(rule: string, slot: string, name: string): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field(name)} ${quoteValue(rule)} must occur at least once after ${slot} and within ${YEARS_AHEAD_MAX} years; change the rule or the deadline`,
  );
}
