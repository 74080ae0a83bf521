import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { hourChanges } from '../../schema/cell/hour-changes.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const c = aliasTable(taskCategories, 'c');
const typeColumns = aliasTable(taskTypes, 'c');
const h = aliasTable(hourChanges, 'h');
const n = aliasTable(tasks, 'n');

export type CategoryKind = 'category' | 'type';

const tableByKind = { category: taskCategories, type: taskTypes };
const pluralByKind: Record<CategoryKind, string> = { category: 'categories', type: 'types' };

const buildCategoryItemColumns = (category: SQL<number>) =>
  selectColumns({
    id: c.id,
    /** The id of the category itself, or of the category that a type belongs to. */
    category,
    key: c.key,
    value: c.value,
    hours: c.default_estimated_hours,
    is_active: c.is_active,
  });
const itemColumns = {
  category: buildCategoryItemColumns(c.id),
  type: buildCategoryItemColumns(typeColumns.category),
};
export type CategoryState = Row<typeof itemColumns.category>;

export function listCategoriesByKind(caller: Caller, kind: CategoryKind): Statement<CategoryState[]> {
  return readRows(sql`
    SELECT ${itemColumns[kind]} FROM ${tableByKind[kind]} c WHERE c.ws = ${caller.workspace} ORDER BY c.id`);
}

export function findCategory(
  caller: Caller,
  kind: CategoryKind,
  id: number,
): Statement<CategoryState | null> {
  return readFirstRow(sql`
    SELECT ${itemColumns[kind]} FROM ${tableByKind[kind]} c WHERE c.ws = ${caller.workspace} AND c.id = ${id}`);
}

/** Must run after the insert, so that the new item is counted. */
export function assertCategoriesMax({ workspace }: Caller, kind: CategoryKind, max: number): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${tableByKind[kind]} c WHERE c.ws = ${workspace}) <= ${max}`,
    invalidRequestError(`A workspace can have up to ${max} ${pluralByKind[kind]}. Rename an unused one.`),
  );
}

export function assertCategoryUnchanged(
  caller: Caller,
  kind: CategoryKind,
  item: CategoryState,
): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${tableByKind[kind]} c WHERE c.ws = ${caller.workspace} AND c.id = ${item.id}
    AND c.value = ${item.value} AND c.default_estimated_hours IS ${item.hours}
      AND c.is_active = ${item.is_active})`);
}

export function selectNewestCategoryId(kind: CategoryKind): SQL {
  return sql`(SELECT max(id) FROM ${tableByKind[kind]})`;
}

const idColumn = selectColumns({ id: c.id });

/** Must run in the batch that inserts the item. The unary plus makes SQLite start from the table's newest row. */
export function findNewestCategory(caller: Caller, kind: CategoryKind): Statement<{ id: number }> {
  return readRow(sql`
    SELECT ${idColumn} FROM ${tableByKind[kind]} c WHERE +c.ws = ${caller.workspace} ORDER BY c.id DESC LIMIT 1`);
}

interface CategoryDraft {
  key: string;
  value: string;
  hours: number | null;
}

export function insertCategory(caller: Caller, { key, value, hours }: CategoryDraft): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(taskCategories, 'ws', 'key', 'value', 'default_estimated_hours')}
    SELECT ${caller.workspace}, ${selectUnusedKey('category', key, sql`k.ws = ${caller.workspace}`)}, ${value},
      ${hours}`);
}

export function insertType(
  caller: Caller,
  category: number,
  { key, value, hours }: CategoryDraft,
): Statement<void> {
  const taken = sql`k.ws = ${caller.workspace} AND k.category = ${category}`;
  return write(sql`
    INSERT INTO ${nameInsertColumns(taskTypes, 'ws', 'category', 'key', 'value', 'default_estimated_hours')}
    SELECT ${c.ws}, ${c.id}, ${selectUnusedKey('type', key, taken)}, ${value}, ${hours}
    FROM ${c} WHERE ${c.ws} = ${caller.workspace} AND ${c.id} = ${category}`);
}

function selectUnusedKey(kind: CategoryKind, key: string, among: SQL): SQL {
  return sql`iif(EXISTS (SELECT 1 FROM ${tableByKind[kind]} k WHERE ${among} AND k.key = ${key}),
    ${key} || '-' || (SELECT coalesce(max(l.id), 0) + 1 FROM ${tableByKind[kind]} l), ${key})`;
}

export function updateCategoryRow(caller: Caller, kind: CategoryKind, item: CategoryState): Statement<void> {
  return write(sql`
    UPDATE ${tableByKind[kind]} SET value = ${item.value}, default_estimated_hours = ${item.hours},
      is_active = ${item.is_active}
    WHERE ws = ${caller.workspace} AND id = ${item.id}`);
}

export function startDefaultHoursUpdate(caller: Caller, category: number): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(hourChanges, 'category', 'ws', 'position')} VALUES (${category}, ${caller.workspace}, 0)
    ON CONFLICT (${hourChanges.category}) DO UPDATE SET ${hourChanges.position} = 0`);
}

const hourChangeColumns = selectColumns({
  category: h.category,
  ws: h.ws,
});
export type DefaultHoursUpdate = Row<typeof hourChangeColumns>;

export function hasDefaultHoursUpdates(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${h})`;
}

export function listDefaultHoursUpdates(limit: number): Statement<DefaultHoursUpdate[]> {
  return readRows(sql`
    SELECT ${hourChangeColumns} FROM ${h} ORDER BY ${h.category} LIMIT ${limit}`);
}

export function selectNextTasks({ category, ws }: DefaultHoursUpdate, limit: number): SQL {
  return sql`
    SELECT ${n.id} FROM ${n} INDEXED BY tasks_by_category
    WHERE ${n.category} = ${category} AND ${n.category} IS NOT NULL AND ${n.ws} = ${ws}
    AND ${n.id} > (SELECT ${h.position} FROM ${h} WHERE ${h.category} = ${category})
    ORDER BY ${n.id} LIMIT ${limit}`;
}

/** `changed` is the number of tasks in this slice. The `progress` statements end the update if no tasks are left. */
export function advanceDefaultHoursUpdate(update: DefaultHoursUpdate, limit: number) {
  const next = selectNextTasks(update, limit);
  return {
    changed: readNumber(sql`SELECT count(*) AS n FROM (${next})`),
    progress: [
      write(
        sql`DELETE FROM ${hourChanges} WHERE ${hourChanges.category} = ${update.category} AND NOT EXISTS (${next})`,
      ),
      write(sql`
      UPDATE ${hourChanges} SET position = (SELECT max(x.id) FROM (${next}) x)
      WHERE category = ${update.category} AND EXISTS (${next})`),
    ],
  };
}
