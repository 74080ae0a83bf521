import { type ColumnNameOf, type SQL, sql } from '../../kernel/sql/sql.ts';
import type { tasks } from '../../schema/cell/tasks.ts';
import { toDescriptionKey, toSearchKey } from '../../search/index/search-key.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';
import type { StoredChanges } from './change.queries.ts';
import { toLabelKeys } from './label-keys.ts';
import { selectFirstNewId, type TaskExpression } from './selection.queries.ts';

/** A value can be an expression, which is computed for each task from its current row. */
export type NewValues = { readonly [K in keyof StoredChanges]: StoredChanges[K] | TaskExpression };

export type ResolvedValues = { readonly [K in keyof StoredChanges]: StoredChanges[K] | SQL };

export function resolveValues(t: TaskAlias, changes: NewValues): ResolvedValues {
  const values = Object.entries(changes).map(([column, value]) => [column, resolveValue(t, value)]);
  return Object.fromEntries(values);
}

export function resolveValue<V extends ColumnValue>(t: TaskAlias, value: V | TaskExpression): V | SQL {
  return typeof value === 'function' ? value(t) : value;
}

/** The keys to store if the name, the description or the tags are given as SQL. */
export interface NewSearchKeys {
  name_key?: string | TaskExpression;
  description_key?: string | TaskExpression;
  label_keys?: string | TaskExpression;
}

type TaskColumn = ColumnNameOf<typeof tasks>;

type ColumnValue = string | number | null;

/**
 * Combines the changes to several tasks into one statement's values. A value that all tasks share isn't looked up per
 * task.
 */
export function combineChanges(edits: readonly { id: number; changes: StoredChanges }[]): {
  values: NewValues;
  keys: NewSearchKeys;
} {
  const columns = [
    ...new Set(edits.flatMap(({ changes }) => Object.keys(changes))),
  ] as (keyof StoredChanges)[];
  const combineColumnValues = (
    column: TaskColumn,
    pick: (changes: StoredChanges) => ColumnValue | undefined,
  ) =>
    combineValues(
      column,
      edits.map(({ id, changes }) => [id, pick(changes)] as const),
    );
  const values = Object.fromEntries(
    columns.map((column) => [column, combineColumnValues(column, (changes) => changes[column])]),
  );
  const keys = {
    ...(columns.includes('name') && {
      name_key: combineColumnValues('name_key', ({ name }) =>
        name === undefined ? undefined : toSearchKey(name),
      ),
    }),
    ...(columns.includes('description') && {
      description_key: combineColumnValues('description_key', ({ description }) =>
        description === undefined ? undefined : toDescriptionKey(description),
      ),
    }),
    ...(columns.includes('tags') && {
      label_keys: combineColumnValues('label_keys', ({ tags }) =>
        tags === undefined ? undefined : toLabelKeys(tags),
      ),
    }),
  };
  return { values: values as NewValues, keys: keys as NewSearchKeys };
}

/** D1 accepts values of up to 2 MB, and JSON escapes can take six bytes per character. */
const PARAMETER_CHARACTERS_MAX = 300_000;

/** Returns null for ids without a value. */
export function buildValueLookup(
  id: SQL,
  values: readonly (readonly [id: number, value: ColumnValue | undefined])[],
): SQL {
  const parts: (readonly [number, ColumnValue | undefined])[][] = [[]];
  let characters = 0;
  for (const each of values) {
    const more = typeof each[1] === 'string' ? each[1].length : 0;
    if (characters + more > PARAMETER_CHARACTERS_MAX && characters > 0) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(each);
    characters += more;
  }
  const lookups = parts.map(
    (part) => sql`json_extract(${JSON.stringify(Object.fromEntries(part))}, '$."' || ${id} || '"')`,
  );
  return lookups.length === 1 ? sql.join(lookups) : sql`coalesce(${sql.join(lookups, sql`, `)})`;
}

function combineValues(
  column: TaskColumn,
  given: readonly (readonly [id: number, value: ColumnValue | undefined])[],
): ColumnValue | TaskExpression {
  const [first] = given;
  if (first?.[1] !== undefined && given.every(([, value]) => value === first[1])) return first[1];
  const set = given.filter(([, value]) => value !== undefined);
  if (set.length === given.length) return (t) => buildValueLookup(t.id, set);
  const ids = sql.raw(`(${set.map(([id]) => id).join(', ')})`);
  return (t) => sql`iif(${t.id} IN ${ids}, ${buildValueLookup(t.id, set)}, ${t[column]})`;
}

/**
 * Replaces the parents of the tasks in `placed` with tasks that the same batch has inserted. `created` is the number of
 * those tasks.
 */
export function placeUnderNewTasks(
  parent: number | null | TaskExpression,
  placed: readonly (readonly [id: number, parentDraft: number])[],
  created: number,
): TaskExpression {
  return (t) =>
    sql`coalesce(${selectFirstNewId(created)} + ${buildValueLookup(t.id, placed)}, ${resolveValue(t, parent)})`;
}

export function selectTaskRank(ids: readonly number[]): TaskExpression {
  return (t) =>
    buildValueLookup(
      t.id,
      ids.map((id, index) => [id, index]),
    );
}
