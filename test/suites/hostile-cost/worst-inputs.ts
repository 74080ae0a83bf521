// This file is long because the most expensive values of objects and lists are built from those of their fields.
import { listPathParameters, type Route } from '../../../src/kernel/http/route.ts';
import { getDocumentedOperation } from '../../support/contract.ts';
import { type JsonSchema, resolveReference, type ValuePool } from '../fuzz/generate-values.ts';
import type { Json } from '../fuzz/json.ts';
import { hostileTexts } from './hostile-texts.ts';

/** A request with a field that is as expensive as the schema allows. */
export interface WorstRequest {
  readonly label: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Parameter {
  in: string;
  name: string;
  schema: JsonSchema;
}

/** Used for schemas without a maximum, where only the URL or body has a size limit. */
const TEXT_MAX = 6_000;
const ITEMS_MAX = 500;
/**
 * Expensive values that can't be derived from a schema. Each is tried while all other fields have their worst values.
 */
const specialValues: Readonly<Record<string, readonly Json[]>> = {
  search: ['e', 'q', '\u4e00', 'aa', 'qq', 'aaa', 'abc', 'a b', `${'a'.repeat(199)}b`],
  recurrence: [
    'FREQ=DAILY;COUNT=1000',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;INTERVAL=7',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=MO;BYSETPOS=366;BYYEARDAY=1',
    'FREQ=SECONDLY;COUNT=2147483647',
    'FREQ=DAILY;INTERVAL=2147483647;UNTIL=99991231',
    `FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 100 }, (_, day) => day + 1).join(',')}`,
    'FREQ=YEARLY;BYEASTER=1;BYWEEKNO=53;BYDAY=SU;BYMONTH=1',
  ],
  offset: [0, 1_000, 1_000_000, Number.MAX_SAFE_INTEGER],
  fileSize: [1, 1024 ** 4],
  startTime: ['2026-03-02T09:30:00.000Z'],
  endTime: ['2026-03-02T11:05:00.000Z'],
  cursor: [],
  dueTime: ['17:30', '00:00'],
  rule: [
    'FREQ=MONTHLY;BYMONTHDAY=29,30,31',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31',
    'FREQ=WEEKLY;INTERVAL=52;BYDAY=MO,TU,WE,TH,FR,SA,SU',
    'FREQ=DAILY;COUNT=1000',
  ],
  minutesBefore: [0, 30, 60, 1_440, 86_400],
  // The API rejects `days` with mode `schedule`, `at` with `minutesBefore`, and `assigneeIds` with `assigneeId`.
  days: [null],
  at: [],
  assigneeIds: [],
  // A wrong version is rejected before anything is written.
  ifVersion: [],
};
/** Limits text and lists in bulk requests, so that a hundred items with the widest characters fit into a body. */
const BULK_TEXT_MAX = 700;

/** Returns a request for every expensive value of every field. */
export function buildWorstRequests(route: Route, pool: ValuePool): WorstRequest[] {
  const { parameters = [], requestBody } = getDocumentedOperation(route) as unknown as {
    parameters?: Parameter[];
    requestBody?: { content: Record<string, { schema: JsonSchema }> };
  };
  const query = parameters.filter((each) => each.in === 'query');
  const { 'application/json': json, 'application/octet-stream': bytes } = requestBody?.content ?? {};
  if (bytes)
    return [{ label: 'five bytes', path: buildPath(route, pool, 0), body: '12345', headers: octetHeaders }];
  if (route.method === 'GET')
    return buildQueries(query, pool).map((each, turn) => ({
      ...each,
      path: buildPath(route, pool, turn) + each.path,
    }));
  const bodies = json
    ? buildBodies(resolveReference(json.schema), pool)
    : Array.from({ length: REQUESTS_WITHOUT_INPUT }, getTurn);
  return bodies.map((each, turn) => ({ ...each, path: buildPath(route, pool, turn) }));
}

/** An operation without input is tried on several resources, because it succeeds only on some of them. */
const REQUESTS_WITHOUT_INPUT = 6;

function getTurn(_: unknown, turn: number) {
  return { label: `turn ${turn}` };
}

const octetHeaders = { 'Content-Type': 'application/octet-stream', 'Content-Length': '5' };

/** Successive turns cover all combinations of ids. */
function buildPath(route: Route, pool: ValuePool, turn: number): string {
  const collection = `/${route.path.split('/')[1]}`;
  let left = turn;
  return listPathParameters(route.path).reduce((path, name, index) => {
    const knownValues = (index === 0 ? pool[collection] : undefined) ?? pool[name] ?? [1];
    const value = String(knownValues[left % knownValues.length]);
    left = Math.floor(left / knownValues.length);
    return path.replace(`:${name}`, encodeURIComponent(value));
  }, route.path);
}

/**
 * Builds requests for full pages: without other parameters, with each value of each parameter, with the longest range
 * of dates, and with the first values of all parameters together.
 */
function buildQueries(parameters: readonly Parameter[], pool: ValuePool): WorstRequest[] {
  const page: [string, string][] = parameters.some(({ name }) => name === 'limit') ? [['limit', '100']] : [];
  const values = parameters
    .filter(({ name }) => name !== 'limit' && name !== 'cursor')
    .map(({ name, schema }) => ({ name, worst: findWorstValues(name, schema, pool) }));
  const alone = values.flatMap(({ name, worst }) =>
    worst.map(({ label, value }) => [`${name}: ${label}`, [[name, toText(value)]]] as const),
  );
  const together = values.flatMap(({ name, worst: [first] }): [string, string][] =>
    first && name !== 'fields' && name !== 'taskId' ? [[name, toText(first.value)]] : [],
  );
  const span = parameters.some(({ name }) => name === 'from')
    ? [
        [
          'all time',
          [
            ['from', '0001-01-01'],
            ['to', '9999-12-30'],
          ],
        ] as const,
      ]
    : [];
  const cases: (readonly [string, readonly (readonly [string, string])[]])[] = [
    ['nothing', []],
    ...alone,
    ...span,
    ['everything at once', together],
  ];
  return cases.map(([label, pairs]) => ({
    label,
    path: `?${new URLSearchParams([...page, ...pairs] as [string, string][])}`,
  }));
}

/**
 * Returns one body per kind of text, with the longest value in every field; one body per special value; and one body
 * per worst value of each optional field on its own.
 */
function buildBodies(schema: JsonSchema, pool: ValuePool): Omit<WorstRequest, 'path'>[] {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [name, each, findWorstValues(name, each, pool)] as const,
  );
  const buildWholeObject = (kind: string): Record<string, InputValue> =>
    Object.fromEntries(
      fields.flatMap(([name, , worst]): [string, InputValue][] => {
        const chosen = worst.find(({ label }) => label === kind) ?? worst[0];
        return chosen ? [[name, chosen.value]] : [];
      }),
    );
  const [first = ''] = Object.keys(hostileTexts);
  const kinds = Object.keys(hostileTexts).map((kind) => ({ label: kind, body: buildWholeObject(kind) }));
  const ofSpecials = fields.flatMap(([name, each]) =>
    (listSpecialValues(name, each) ?? []).map((value) => ({
      label: `${name}: ${toText(value)}`,
      body: { ...buildWholeObject(first), [name]: value },
    })),
  );
  // An error in one field could hide the cost of another, so each field is also tried alone.
  const required = new Set(schema.required);
  const single = fields
    .filter(([name, each]) => !required.has(name) && !isShortText(each))
    .flatMap(([name, , worst]) =>
      worst.map(({ label, value }) => ({
        label: `${name} alone: ${label}`,
        body: {
          ...Object.fromEntries(
            Object.entries(buildWholeObject(first)).filter(([other]) => required.has(other)),
          ),
          [name]: value,
        },
      })),
    );
  return [...kinds, ...ofSpecials, ...single];
}

/** Short text costs the same with and without the other fields, so it isn't tried alone. */
function isShortText(unresolved: JsonSchema): boolean {
  const { type, anyOf, maxLength = TEXT_MAX, pattern, format } = resolveReference(unresolved);
  if (anyOf) return anyOf.every((each) => each.type === 'null' || isShortText(each));
  return type === 'string' && !pattern && !format && maxLength < 1_000;
}

/** The special values of `recurrence` are for meetings. A task's `recurrence` is an object. */
function listSpecialValues(name: string, schema: JsonSchema): readonly Json[] | undefined {
  return resolveReference(schema).properties ? undefined : specialValues[name];
}

type InputValue = Json | Record<string, Json> | InputValue[];

interface WorstValue {
  label: string;
  value: InputValue;
}

/** Returns the values to try in a field. The first one is used while values of other fields are being tried. */
function findWorstValues(name: string, unresolved: JsonSchema, pool: ValuePool): WorstValue[] {
  const schema = resolveReference(unresolved);
  const sampleValues = pool[name];
  const values = listSpecialValues(name, schema);
  if (values) {
    const special = values.map((value) => ({ label: toText(value).slice(0, 60), value }));
    return name === 'search' ? [...special, ...buildTexts(schema)] : special;
  }
  if (sampleValues) {
    const value = sampleValues.find((each) => each !== null) ?? null;
    const all = schema.type === 'array' && !Array.isArray(value) ? [...sampleValues] : value;
    return [{ label: 'one that exists', value: all }];
  }
  if (schema.anyOf)
    return schema.anyOf
      .flatMap((each) => findWorstValues(name, each, pool))
      .filter(({ value }) => value !== null);
  if (schema.enum) return schema.enum.map((value) => ({ label: toText(value), value }));
  switch (schema.type) {
    case 'boolean':
      return [true, false].map((value) => ({ label: String(value), value }));
    case 'integer':
    case 'number':
      return [schema.maximum ?? 1_000_000, schema.minimum ?? 0].map((value) => ({
        label: String(value),
        value,
      }));
    case 'array':
      if (resolveReference(schema.items ?? {}).properties) return buildLists(schema, pool);
      return findWorstValues(name, schema.items ?? {}, pool).map(({ label, value }) => ({
        label,
        value: schema.items?.enum
          ? [value]
          : Array.from({ length: Math.min(schema.maxItems ?? 50, ITEMS_MAX) }, () => value),
      }));
    case 'string':
      return buildTexts(schema, name);
    case 'object':
      return buildObjects(schema, pool);
    default:
      return [];
  }
}

type WorstFields = readonly (readonly [name: string, worst: readonly WorstValue[]])[];

function findWorstFields(schema: JsonSchema, pool: ValuePool): WorstFields {
  return Object.entries(schema.properties ?? {}).map(([name, each]) => [
    name,
    findWorstValues(name, limitLength(BULK_TEXT_MAX, resolveReference(each)), pool),
  ]);
}

/** Fills text fields with one kind of text. Different values of `turn` give different objects. */
function buildObject(fields: WorstFields, kind: string, turn: number): Record<string, Json> {
  return Object.fromEntries(
    fields.flatMap(([name, worst]): [string, Json][] => {
      const text = worst.find(({ label }) => label === kind)?.value;
      // The text must not end with half a surrogate pair.
      if (typeof text === 'string')
        return [[name, `${turn} ${text}`.slice(0, text.length).replace(/[\ud800-\udbff]$/, '')]];
      const value = text ?? worst[turn % worst.length]?.value;
      return value === undefined ? [] : [[name, value as Json]];
    }),
  );
}

function buildObjects(schema: JsonSchema, pool: ValuePool): WorstValue[] {
  const fields = findWorstFields(schema, pool);
  return Object.keys(hostileTexts).map((kind) => ({ label: kind, value: buildObject(fields, kind, 0) }));
}

/** Returns lists of the maximum length. Each item refers to a different resource. */
function buildLists({ items = {}, maxItems = ITEMS_MAX }: JsonSchema, pool: ValuePool): WorstValue[] {
  const schema = resolveReference(items);
  const fields = findWorstFields(schema, pool);
  const ids = (pool.ids?.[0] ?? []) as number[];
  return Object.keys(hostileTexts).map((kind) => ({
    label: kind,
    value: Array.from({ length: maxItems }, (_, turn) => ({
      ...buildObject(fields, kind, turn),
      ...(schema.properties?.id && { id: ids[turn % ids.length] ?? 1 }),
    })),
  }));
}

function limitLength(length: number, schema: JsonSchema): JsonSchema {
  if (schema.anyOf)
    return { ...schema, anyOf: schema.anyOf.map((each) => limitLength(length, resolveReference(each))) };
  if (schema.items)
    return {
      ...schema,
      maxItems: Math.min(length, schema.maxItems ?? ITEMS_MAX, countFitting(length, schema.items)),
    };
  return schema.maxLength === undefined
    ? schema
    : { ...schema, maxLength: Math.min(length, schema.maxLength) };
}

function countFitting(length: number, items: JsonSchema): number {
  const { maxLength, properties = {} } = resolveReference(items);
  const longest = Math.max(maxLength ?? 1, ...Object.values(properties).map((each) => each.maxLength ?? 1));
  return Math.max(1, Math.floor(length / longest));
}

function buildTexts(
  { pattern, format, maxLength = TEXT_MAX, ...schema }: JsonSchema,
  name = '',
): WorstValue[] {
  if (format === 'date')
    return ['2026-06-15', '9999-12-30', '0001-01-01'].map((value) => ({ label: value, value }));
  if (pattern) return findMatchingValues(pattern);
  if (name === 'fields') return [{ label: 'all of them', value: parseFieldNames(schema) }];
  return Object.entries(hostileTexts).map(([label, text]) => ({ label, value: text(maxLength) }));
}

function parseFieldNames({ description = '' }: JsonSchema & { description?: string }): string {
  return /: ([^.]*)\./.exec(description)?.[1]?.replaceAll(' ', '') ?? 'id';
}

const sampleValues = ['14:30', '9999.99', 'a@example.com', '2026-06'];

function findMatchingValues(pattern: string): WorstValue[] {
  const fitting = sampleValues.filter((each) => new RegExp(pattern).test(each));
  return fitting.map((value) => ({ label: value, value }));
}

function toText(value: InputValue): string {
  return Array.isArray(value) ? value.map(String).join(',') : String(value);
}
