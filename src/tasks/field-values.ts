import * as z from 'zod';
import { sanitizeRichText } from '../kernel/rich-text/rich-text.ts';
import { cacheLastResult } from '../kernel/text/cache-last.ts';
import type { tasks } from '../schema/cell/tasks.ts';
import { type TaskField, taskFields } from './fields.ts';

/* This file derives schemas and conversions from `taskFields`. No other file maps API names to columns. */

type TaskFields = typeof taskFields;
export type FieldName = keyof TaskFields;
export type FieldColumn = TaskFields[FieldName]['column'];
type InputName<F extends FieldName> = TaskFields[F] extends { inputName: infer N extends string } ? N : F;
/** Kinds of fields that refer to rows of other tables. A `custom` value also needs the definition of its field. */
const referenceKinds = [
  'member',
  'members',
  'category',
  'type',
  'task',
  'custom',
] as const satisfies TaskField['stored'][];
type ReferenceKind = (typeof referenceKinds)[number];
type DetailLevel = TaskField['shownIn'];
type PlainField<L extends DetailLevel> = {
  [F in FieldName]: TaskFields[F] extends { shownIn: L; stored: Exclude<TaskField['stored'], ReferenceKind> }
    ? F
    : never;
}[FieldName];
export type PlainColumn<L extends DetailLevel> = TaskFields[PlainField<L>]['column'];

export type FieldColumns = Pick<typeof tasks.$inferSelect, FieldColumn>;

export type NamedField = TaskField & {
  readonly name: FieldName;
  readonly column: FieldColumn;
  readonly inputName: string;
};
export const fields = Object.entries(taskFields).map(([name, field]) => ({
  inputName: name,
  ...field,
  name,
})) as readonly NamedField[];

export const fieldColumns = fields.map(({ column }) => column);
/** A bulk request often sends the same text for many tasks, so the last result is cached. */
const sanitizeCached = cacheLastResult(sanitizeRichText);
const isReferenceField = ({ stored }: NamedField) => referenceKinds.some((kind) => kind === stored);
/** All readers have the same object shape, so that V8 can access them faster. */
const buildFieldReaders = (level: DetailLevel) =>
  fields
    .filter((field) => field.shownIn === level && !isReferenceField(field))
    .map((field) => ({ name: field.name, column: field.column, read: buildFieldReader(field) }));
const fieldReaders = {
  list: buildFieldReaders('list'),
  detail: buildFieldReaders('detail'),
  requested: buildFieldReaders('requested'),
  structure: buildFieldReaders('structure'),
  fields: buildFieldReaders('fields'),
  assignees: buildFieldReaders('assignees'),
};

export function listPlainColumns<L extends DetailLevel>(level: L): readonly PlainColumn<L>[] {
  return fieldReaders[level].map(({ column }) => column as PlainColumn<L>);
}

type InputSchemas<U extends 'create' | 'update'> = {
  [F in FieldName as TaskFields[F] extends Record<U, z.ZodType>
    ? InputName<F>
    : never]: TaskFields[F] extends Record<U, infer S> ? S : never;
};

export function buildInputSchemas<U extends 'create' | 'update'>(use: U): InputSchemas<U> {
  const taken = fields.flatMap((field) => (field[use] ? [[field.inputName, field[use]]] : []));
  return Object.fromEntries(taken) as InputSchemas<U>;
}

/**
 * Returns only fields whose schema is different for tools: without its default, so that a preview contains only the
 * fields that were sent, or with `toolDescription` as its description.
 */
export function buildToolInputSchemas(use: 'create' | 'update'): {
  readonly tags: InputSchemas<'update'>['tags'];
} {
  const taken = fields.flatMap(({ inputName, stored, toolDescription, [use]: schema }) => {
    if (schema instanceof z.ZodDefault) return [[inputName, (schema.unwrap() as z.ZodType).optional()]];
    // Tools take custom fields in a separate argument, by name.
    if (!schema || toolDescription === undefined || stored === 'custom') return [];
    return [[inputName, schema.meta({ description: toolDescription || undefined })]];
  });
  return Object.fromEntries(taken) as { tags: InputSchemas<'update'>['tags'] };
}

type OutputSchemas<L extends DetailLevel> = {
  [F in FieldName as TaskFields[F]['shownIn'] extends L ? F : never]: TaskFields[F]['output'];
};

export function buildOutputSchemas<L extends DetailLevel>(level: L): OutputSchemas<L> {
  const shown = fields.filter(({ shownIn }) => shownIn === level);
  return Object.fromEntries(shown.map(({ name, output }) => [name, output])) as OutputSchemas<L>;
}

export function buildFieldExamples(level: DetailLevel): Record<string, unknown> {
  const shown = fields.filter(({ shownIn }) => shownIn === level);
  return Object.fromEntries(shown.map(({ name, example = null }) => [name, example]));
}

/** Leaves out custom fields, which `planFieldValues` checks. */
export function toColumnValues(
  { assigneeId, assigneeIds, ...input }: Readonly<Record<string, unknown>> & AssigneeInput,
  numbers: MemberNumbers = new Map(),
): Partial<FieldColumns> {
  const sent = fields.filter(
    ({ inputName, stored }) => input[inputName] !== undefined && stored !== 'custom',
  );
  const values = sent.map((field) => [field.column, toColumnValue(field, input[field.inputName])]);
  return { ...Object.fromEntries(values), ...toAssigneeColumns({ assigneeId, assigneeIds }, numbers) };
}

/** Maps user ids to member numbers. */
export type MemberNumbers = ReadonlyMap<string, number>;

export interface AssigneeInput {
  readonly assigneeId?: string | null | undefined;
  readonly assigneeIds?: readonly string[] | undefined;
}

function toAssigneeColumns(
  { assigneeId, assigneeIds }: AssigneeInput,
  numbers: MemberNumbers,
): Partial<AssigneeColumns> {
  if (assigneeIds) return splitAssignees(assigneeIds.map((userId) => numbers.get(userId) ?? 0));
  return assigneeId === undefined ? {} : { assignee: numbers.get(assigneeId ?? '') ?? 0 };
}

export type AssigneeColumns = Pick<FieldColumns, 'assignee' | 'other_assignees'>;

export function splitAssignees(numbers: readonly number[]): AssigneeColumns {
  const [assignee = 0, ...others] = new Set(numbers.filter((number) => number > 0));
  return { assignee, other_assignees: JSON.stringify(others) };
}

export function listAssigneeNumbers({ assignee, other_assignees }: AssigneeColumns): number[] {
  return assignee === 0 ? [] : [assignee, ...(JSON.parse(other_assignees) as number[])];
}

export const initialColumns = Object.fromEntries(
  fields.map(({ column, initial, empty }) => [column, initial ?? empty ?? null]),
) as FieldColumns;

function toColumnValue({ stored, names = [], empty }: NamedField, value: unknown): unknown {
  if (value === null) return empty ?? null;
  if (stored === 'index') return names.indexOf(value as string);
  if (stored === 'html') return sanitizeCached(value as string);
  if (stored === 'json') return JSON.stringify([...new Set(value as readonly unknown[])]);
  return stored === 'flag' ? Number(value) : value;
}

function buildFieldReader({
  stored,
  names = [],
  initial = 0,
  empty,
}: NamedField): (held: unknown) => unknown {
  if (stored === 'index') return (held) => names[held as number] ?? names[initial];
  if (stored === 'json') return (held) => JSON.parse(held as string);
  if (stored === 'flag') return (held) => held === 1;
  return empty === undefined ? (held) => held : (held) => (held === empty ? null : held);
}

type FieldValues<L extends DetailLevel> = { [F in PlainField<L>]: z.output<TaskFields[F]['output']> };

export function readFields<L extends DetailLevel>(
  level: L,
  row: Pick<FieldColumns, PlainColumn<L>>,
): FieldValues<L> {
  const held: Readonly<Record<string, unknown>> = row;
  const shown: Record<string, unknown> = {};
  // A loop takes a tenth of the time of `Object.fromEntries`, and this runs hundreds of times per page.
  for (const { name, column, read } of fieldReaders[level]) shown[name] = read(held[column]);
  return shown as FieldValues<L>;
}

/** Includes every field under its request name, so that a form detects conflicting changes to any of them. */
export function toFormValues(
  task: Omit<FieldColumns, 'description'> & {
    description?: string | null | undefined;
  },
  assigneeIds: readonly string[],
): Record<string, unknown> {
  const values = fields.map((field) => [field.inputName, buildFieldReader(field)(task[field.column])]);
  return { ...Object.fromEntries(values), assigneeId: assigneeIds[0] ?? null, assigneeIds };
}
