import * as z from 'zod';
import { jsonByteLimits } from '../../src/kernel/operation/schema.ts';

const NUMBER_BYTES = String(-Number.MAX_SAFE_INTEGER).length;
/** The most bytes that a UTF-16 code unit needs in JSON, as in `\u0001`. */
const UNIT_BYTES = 6;

export interface ResponseSize {
  /** The bytes of the longest response, not counting lists that grow with the number of people in a workspace. */
  readonly bytes: number;
  readonly bytesPerPerson: number;
  /** Paths of values without a maximum length. */
  readonly unbounded: readonly string[];
}

/** Computes the size of the longest JSON that a schema allows. `people` contains the paths of arrays of people. */
export function computeSize(schema: z.ZodType, people: readonly string[], path = ''): ResponseSize {
  const known = jsonByteLimits.get(schema)?.bytes;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = computeSize(schema.unwrap() as z.ZodType, people, path);
    return { ...inner, bytes: Math.max(inner.bytes, 4) };
  }
  if (schema instanceof z.ZodObject) return computeObjectSize(schema, people, path);
  if (schema instanceof z.ZodArray) return computeArraySize(schema, people, path, known);
  if (schema instanceof z.ZodEnum) return toFixedSize(findLongestBytes(schema.options));
  if (schema instanceof z.ZodLiteral) return toFixedSize(findLongestBytes([...schema.values]));
  if (schema instanceof z.ZodBoolean) return toFixedSize(5);
  if (schema instanceof z.ZodNumber) return toFixedSize(NUMBER_BYTES);
  if (schema._zod.def.type === 'string') return computeTextSize(schema as z.ZodString, path, known);
  if (known !== undefined) return toFixedSize(known);
  return { bytes: 0, bytesPerPerson: 0, unbounded: [`${path}: a ${schema._zod.def.type}`] };
}

const toFixedSize = (bytes: number): ResponseSize => ({ bytes, bytesPerPerson: 0, unbounded: [] });
const countJsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const findLongestBytes = (values: readonly unknown[]) => Math.max(...values.map(countJsonBytes));

/** Formats with a fixed length, and their bytes in JSON. */
const FORMAT_BYTES: [form: RegExp, bytes: number][] = [[/^date$/, 12]];

function computeTextSize(schema: z.ZodString, path: string, known: number | undefined): ResponseSize {
  if (known !== undefined) return toFixedSize(known + 2);
  const format = String(schema.meta()?.format ?? '');
  const form = FORMAT_BYTES.find(([pattern]) => pattern.test(format));
  if (form) return toFixedSize(form[1]);
  const max = schema.maxLength;
  if (max === null || !Number.isFinite(max)) return { ...toFixedSize(0), unbounded: [`${path}: a text`] };
  return toFixedSize(UNIT_BYTES * max + 2);
}

function computeObjectSize(schema: z.ZodObject, people: readonly string[], path: string): ResponseSize {
  const fields = Object.entries(schema.shape).map(([key, field]) => {
    const size = computeSize(field as z.ZodType, people, path === '' ? key : `${path}.${key}`);
    return { ...size, bytes: countJsonBytes(key) + 2 + size.bytes };
  });
  return { ...sumSizes(fields), bytes: 2 + sumSizes(fields).bytes };
}

function computeArraySize(
  schema: z.ZodArray,
  people: readonly string[],
  path: string,
  known: number | undefined,
): ResponseSize {
  const element = computeSize(schema.element as z.ZodType, people, `${path}[]`);
  if (known !== undefined) return { ...toFixedSize(known + 2), unbounded: element.unbounded };
  if (people.includes(path)) return { ...element, bytes: 2, bytesPerPerson: element.bytes + 1 };
  const limits = (schema._zod.def.checks ?? []).map((check) => check._zod.def as { maximum?: number });
  const max = limits.find(({ maximum }) => maximum !== undefined)?.maximum;
  if (max === undefined)
    return { ...element, bytes: 0, unbounded: [...element.unbounded, `${path}: a list`] };
  return {
    bytes: 2 + max * (element.bytes + 1),
    bytesPerPerson: max * element.bytesPerPerson,
    unbounded: element.unbounded,
  };
}

function sumSizes(sizes: readonly ResponseSize[]): ResponseSize {
  return {
    bytes: sizes.reduce((total, each) => total + each.bytes, 0),
    bytesPerPerson: sizes.reduce((total, each) => total + each.bytesPerPerson, 0),
    unbounded: sizes.flatMap((each) => each.unbounded),
  };
}
