import { describeUnknownName, quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { civilDate } from '../../kernel/operation/schema.ts';
import { formatWording, type Wording } from '../../kernel/text/wording.ts';

/** The part of an RFC 5545 recurrence rule (3.3.10) that meetings and tasks support. */
export interface RecurrenceRule {
  frequency: (typeof frequencies)[number];
  interval: number;
  days: readonly { nth: number | null; day: string }[];
  monthDays: number[];
  count: number | null;
  until: UntilPart | null;
}

interface UntilPart {
  date: string;
  time: string;
  isUtc: boolean;
}

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
const partNames = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL'] as const;
type PartName = (typeof partNames)[number];

const AMOUNT_MAX = 999;

/** `field` is the rule's name in error messages. */
export function parseRule(text: string, field: Wording = 'recurrence'): RecurrenceRule {
  try {
    return parseRuleText(text);
  } catch (error) {
    if (error instanceof RuleError) {
      const { message } = error;
      throw invalidRequestError((words) => `${formatWording(field, words)} ${message}`, field);
    }
    throw error;
  }
}

class RuleError extends Error {}

function parseRuleText(text: string): RecurrenceRule {
  const parts = splitParts(text.toUpperCase().replace(/^RRULE:/, ''));
  const rule: RecurrenceRule = {
    frequency: parseFrequency(parts.get('FREQ')),
    interval: parseAmount('INTERVAL', parts) ?? 1,
    days: parseDays(parts.get('BYDAY')),
    monthDays: parseMonthDays(parts.get('BYMONTHDAY')),
    count: parseAmount('COUNT', parts),
    until: parseUntil(parts.get('UNTIL')),
  };
  requireValidRule(rule);
  return rule;
}

function splitParts(text: string): ReadonlyMap<PartName, string> {
  const parts = new Map<PartName, string>();
  for (const part of text.split(';')) {
    const [name = '', value, ...more] = part.split('=');
    if (!value || more.length > 0) {
      throw new RuleError(
        `must consist of NAME=value parts separated by ';', such as FREQ=WEEKLY;BYDAY=MO; got ${quoteValue(part)}`,
      );
    }
    const known = partNames.find((each) => each === name);
    if (!known) throw new RuleError(`has an ${describeUnknownName('part', name, partNames)}`);
    if (parts.has(known)) throw new RuleError(`has the part ${known} more than once; send it once`);
    parts.set(known, value);
  }
  return parts;
}

function parseFrequency(value: string | undefined): RecurrenceRule['frequency'] {
  const known = frequencies.find((each) => each === value);
  if (known) return known;
  throw new RuleError(`must have FREQ set to one of ${frequencies.join(', ')}; got ${quoteValue(value)}`);
}

function parseAmount(name: 'INTERVAL' | 'COUNT', parts: ReadonlyMap<PartName, string>): number | null {
  const value = parts.get(name);
  if (value === undefined) return null;
  const amount = Number(value);
  if (/^\d{1,3}$/.test(value) && amount >= 1) return amount;
  throw new RuleError(`must have ${name} set to a number from 1 to ${AMOUNT_MAX}; got ${quoteValue(value)}`);
}

function parseDays(value: string | undefined): RecurrenceRule['days'] {
  if (value === undefined) return [];
  return value.split(',').map((text) => {
    const [, nth, day] = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text) ?? [];
    if (!day) {
      throw new RuleError(
        `must have BYDAY set to a list of MO, TU, WE, TH, FR, SA or SU, each with an optional prefix from 1 to 5 or -1 to -5; got ${quoteValue(text)}`,
      );
    }
    return { nth: nth === undefined ? null : Number(nth), day };
  });
}

function parseMonthDays(value: string | undefined): number[] {
  if (value === undefined) return [];
  return value.split(',').map((text) => {
    const day = Number(text);
    if (/^[+-]?\d{1,2}$/.test(text) && Math.abs(day) >= 1 && Math.abs(day) <= 31) return day;
    throw new RuleError(
      `must have BYMONTHDAY set to a list of days from 1 to 31 or -1 to -31; got ${quoteValue(text)}`,
    );
  });
}

function parseUntil(value: string | undefined): UntilPart | null {
  if (value === undefined) return null;
  const form = /^(\d{4})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z)?)?$/.exec(value);
  const [, year, month, day, hour, minute, , zulu] = form ?? [];
  const date = `${year}-${month}-${day}`;
  if (!form || !civilDate.safeParse(date).success) {
    throw new RuleError(
      `must have UNTIL set to a valid date, or date and time, such as 20261231 or 20261231T170000Z; got ${quoteValue(value)}`,
    );
  }
  return { date, time: hour === undefined ? '23:59' : `${hour}:${minute}`, isUtc: zulu !== undefined };
}

function requireValidRule({ frequency, days, monthDays, count, until }: RecurrenceRule) {
  if (count !== null && until !== null) throw new RuleError('has both COUNT and UNTIL; send one of them');
  if (frequency === 'WEEKLY' && monthDays.length > 0) {
    throw new RuleError('has BYMONTHDAY, which FREQ=WEEKLY does not support; use FREQ=MONTHLY or BYDAY');
  }
  const numbered = days.find(({ nth }) => nth !== null);
  if (!numbered) return;
  const got = quoteValue(`${numbered.nth}${numbered.day}`);
  if (frequency !== 'MONTHLY') {
    throw new RuleError(`supports numbers in BYDAY only with FREQ=MONTHLY; got ${got} with ${frequency}`);
  }
  if (monthDays.length > 0)
    throw new RuleError(`has both BYMONTHDAY and the numbered ${got} in BYDAY; send one of them`);
}
