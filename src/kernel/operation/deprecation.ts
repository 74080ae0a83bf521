import type * as z from 'zod';
import { getDateFormat } from '../dates/date-format.ts';
import type { AnyOperation } from './operation.ts';

const NOTICE_MONTHS_MIN = 12;

export interface Deprecation {
  readonly since: Date;
  readonly until: Date;
  readonly instead: string;
}

const inputDeprecations = new WeakMap<z.ZodType, Deprecation>();

export function createDeprecation(since: string, until: string, instead: string): Deprecation {
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS_MIN);
  if (!(new Date(until) >= earliest)) {
    throw new Error(
      `Anything deprecated since ${since} must work for ${NOTICE_MONTHS_MIN} months, not only until ${until}`,
    );
  }
  return { since: new Date(since), until: new Date(until), instead };
}

/** Marks a parameter or a top-level body field. Wrap the complete schema, including `.optional()`. */
export function deprecateInput<T extends z.ZodType>(schema: T, deprecation: Deprecation): T {
  const { description, ...meta } = schema.meta() ?? {};
  const marked = schema.meta({
    ...meta,
    description: [description, describeDeprecation(deprecation)].filter(Boolean).join(' '),
    deprecated: true,
    param: { ...(meta.param as object), deprecated: true },
  });
  inputDeprecations.set(marked, deprecation);
  return marked;
}

export function describeDeprecation({ since, until, instead }: Deprecation): string {
  return `Deprecated since ${formatDay(since)}. Will work at least until ${formatDay(until)}. ${instead}`;
}

function formatDay(day: Date): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return getDateFormat('en-GB', options).format(day);
}

export function hasDeprecation(operation: AnyOperation): boolean {
  return operation.deprecated !== undefined || listDeprecatedInputs(operation).length > 0;
}

export function listDeprecatedInputs({ input }: Pick<AnyOperation, 'input'>): [name: string, Deprecation][] {
  return Object.entries(input.shape).flatMap(([name, schema]) => {
    const found = inputDeprecations.get(schema as z.ZodType);
    return found ? [[name, found]] : [];
  });
}

export function buildDeprecationHeaders(
  operation: AnyOperation,
  sent: readonly string[],
): { Deprecation: string; Sunset: string } | null {
  const inputs = listDeprecatedInputs(operation).filter(([name]) => sent.includes(name));
  const found = [...(operation.deprecated ? [operation.deprecated] : []), ...inputs.map(([, each]) => each)];
  if (found.length === 0) return null;
  const since = Math.min(...found.map((each) => each.since.getTime()));
  const until = Math.min(...found.map((each) => each.until.getTime()));
  return { Deprecation: `@${since / 1000}`, Sunset: new Date(until).toUTCString() };
}
