import type * as z from 'zod';
import { invalidRequest } from '../errors.ts';
import { explain } from '../explain.ts';
import { describeLongList } from '../list-size.ts';
import { describeUnstorable } from '../storable-text.ts';

/** The input as its schema takes it. Throws 400 that names every problem in the words of the face that asked. */
export function parseInput<I extends z.ZodObject>(schema: I, raw: unknown): z.output<I> {
  const tooLong = describeLongList(raw);
  if (tooLong) throw invalidRequest(tooLong);
  const parsed = schema.safeParse(raw, { reportInput: true });
  if (!parsed.success) {
    const { error } = parsed;
    throw invalidRequest((words) => explain(error, schema, words));
  }
  const unstorable = describeUnstorable(parsed.data);
  if (unstorable) throw invalidRequest(unstorable);
  return parsed.data;
}
