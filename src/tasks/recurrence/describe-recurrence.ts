import { describeRule } from '../../meetings/recurrence/describe-rule.ts';
import type { Series } from './recurrence-days.ts';

/** Returns text such as "Every Monday", "Every weekday, after completion" or "7 days after completion". */
export function describeRecurrence({ rule, mode, days }: Pick<Series, 'rule' | 'mode' | 'days'>): string {
  if (days !== null) return `${days} ${days === 1 ? 'day' : 'days'} after completion`;
  const text = describeRule(rule);
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return mode === 'completion' ? `${sentence}, after completion` : sentence;
}
