import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { FieldDefinition } from './custom-fields.queries.ts';
import type { FieldValue } from './field-values.ts';

/* Forms send every value as text. */

export function toSubmittedText(value: FieldValue | null): string | null {
  return value === null ? null : String(value);
}

export function parseSubmittedValue(
  { type }: FieldDefinition,
  text: string | null | undefined,
  options: readonly number[] | null | undefined,
): FieldValue | null {
  if (type === 'multi_select') return [...(options ?? [])];
  if (text === null || text === undefined || text === '') return null;
  if (type === 'checkbox' && (text === 'true' || text === 'false')) return text === 'true';
  if (type !== 'number' && type !== 'select') return text;
  const parsed = Number(text.replace(',', '.'));
  if (Number.isFinite(parsed)) return parsed;
  throw invalidRequestError(({ field }) => `${field('value')} must be a number; got '${text}'`);
}
