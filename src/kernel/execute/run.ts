import * as z from 'zod';
import { AppError, invalidRequestError } from '../errors/errors.ts';
import { explain, fieldAt, unwrap } from '../errors/explain.ts';
import { describeLongList } from '../lists/list-size.ts';
import { Answer, type InParts } from '../operation/answer.ts';
import type { AnyOperation, BaseContext } from '../operation/operation.ts';
import { checkedByItem } from '../operation/schema.ts';
import { findUnstorable } from '../text/storable-text.ts';

export function parseInput<I extends z.ZodObject>(schema: I, raw: unknown): z.output<I> {
  const tooLong = describeLongList(raw);
  if (tooLong) throw invalidRequestError(tooLong);
  const parsed = parseItem(schema, raw);
  if (parsed instanceof AppError) throw parsed;
  return parsed;
}

export function parseItem<I extends z.ZodObject>(schema: I, raw: unknown): z.output<I> | AppError {
  const parsed = schema.safeParse(raw, { reportInput: true });
  if (!parsed.success) {
    const { error } = parsed;
    return invalidRequestError((words) => explain(error, schema, words));
  }
  for (const [name, value] of Object.entries(parsed.data)) {
    const type = schema.shape[name];
    if (type && checkedByItem.has(unwrap(type as z.ZodType))) continue;
    const found = findUnstorable(value, [name]);
    if (found) return invalidRequestError((words) => `${fieldAt(found.path, words)} ${found.problem}`);
  }
  return parsed.data;
}

export interface Outcome {
  readonly output: unknown;
  readonly status: number;
  /** Null on the last page and for responses that aren't lists. */
  readonly nextCursor: string | null;
  readonly version: number | null;
  /** True if an earlier request with the same idempotency key did the work. */
  readonly isReplayed: boolean;
  readonly inParts: InParts | undefined;
}

export async function run(
  operation: AnyOperation,
  ctx: BaseContext,
  input: unknown,
  usualStatus = 200,
): Promise<Outcome> {
  const returned = await operation.handler(ctx as never, input as never);
  const answer = returned instanceof Answer ? returned : new Answer(returned);
  const { body, status, nextCursor, version, inParts } = answer;
  // Drops columns that the contract doesn't include. A missing field is a bug.
  const output = shapeAnswer(operation.output, body);
  return { output, status: status ?? usualStatus, nextCursor, version, isReplayed: false, inParts };
}

type Shape = (value: unknown) => unknown;

const shapes = new WeakMap<z.ZodType, Shape>();

/** Takes a quarter of the time of `parse`, which can't compile code on Workers. Only tests check formats and bounds. */
export function shapeAnswer(schema: z.ZodType, value: unknown): unknown {
  let shape = shapes.get(schema);
  if (!shape) {
    shape = compile(schema);
    shapes.set(schema, shape);
  }
  try {
    return shape(value);
  } catch (error) {
    if (error instanceof Misfit) return schema.parse(value);
    throw error;
  }
}

class Misfit extends Error {}

function compile(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodObject) return compileObject(schema);
  if (schema instanceof z.ZodArray) {
    const element = compile(schema.element as z.ZodType);
    return (value) => (Array.isArray(value) ? value.map(element) : misfit());
  }
  if (schema instanceof z.ZodRecord) {
    const element = compile(schema.valueType as z.ZodType);
    return (value) =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, element(each)]))
        : misfit();
  }
  if (schema instanceof z.ZodUnknown) return (value) => value;
  if (schema instanceof z.ZodNullable) {
    const inner = compile(schema.unwrap() as z.ZodType);
    return (value) => (value === null ? null : inner(value));
  }
  if (schema instanceof z.ZodOptional) {
    const inner = compile(schema.unwrap() as z.ZodType);
    return (value) => (value === undefined ? undefined : inner(value));
  }
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values]);
  // Formats such as z.iso.datetime() have their own class, but are strings.
  if (schema._zod.def.type === 'string') return ofType('string');
  if (schema instanceof z.ZodBoolean) return ofType('boolean');
  if (schema instanceof z.ZodNumber) return (value) => (Number.isFinite(value) ? value : misfit());
  throw new Error(
    `An answer cannot hold a ${schema._zod.def.type}: src/kernel/execute/run.ts does not know it`,
  );
}

function compileObject(schema: z.ZodObject): Shape {
  const fields = Object.entries(schema.shape).map(
    ([key, field]) => [key, compile(field as z.ZodType)] as const,
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return misfit();
    const answer: Record<string, unknown> = {};
    for (const [key, shape] of fields) {
      const field = shape((value as Record<string, unknown>)[key]);
      if (field !== undefined) answer[key] = field;
    }
    return answer;
  };
}

function ofType(type: 'string' | 'boolean'): Shape {
  return (value) => (typeof value === type ? value : misfit());
}

function oneOf(options: readonly unknown[]): Shape {
  return (value) => (options.includes(value) ? value : misfit());
}

function misfit(): never {
  throw new Misfit();
}
