import type * as z from 'zod';
import { AppError, invalidRequest } from '../errors/errors.ts';
import { explain, fieldAt, unwrap } from '../errors/explain.ts';
import { describeLongList } from '../lists/list-size.ts';
import { checkedByItem } from '../operation/schema.ts';
import { findUnstorable } from '../text/storable-text.ts';

/** The input as its schema takes it. Throws 400 that names every problem in the words of the face that asked. */
export function parseInput<I extends z.ZodObject>(schema: I, raw: unknown): z.output<I> {
  const tooLong = describeLongList(raw);
  if (tooLong) throw invalidRequest(tooLong);
  const parsed = parseItem(schema, raw);
  if (parsed instanceof AppError) throw parsed;
  return parsed;
}

/** A part of an input as its schema takes it, or the refusal. */
export function parseItem<I extends z.ZodObject>(schema: I, raw: unknown): z.output<I> | AppError {
  const parsed = schema.safeParse(raw, { reportInput: true });
  if (!parsed.success) {
    const { error } = parsed;
    return invalidRequest((words) => explain(error, schema, words));
  }
  for (const [name, value] of Object.entries(parsed.data)) {
    const type = schema.shape[name];
    if (type && checkedByItem.has(unwrap(type as z.ZodType))) continue;
    const found = findUnstorable(value, [name]);
    if (found) return invalidRequest((words) => `${fieldAt(found.path, words)} ${found.problem}`);
  }
  return parsed.data;
}
