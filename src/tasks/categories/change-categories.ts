import * as z from 'zod';
import type { FieldChange } from '../../events/log/event-types.ts';
import { recordEvent } from '../../events/log/record.queries.ts';
import { forbiddenError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import {
  assertCategoriesMax,
  assertCategoryUnchanged,
  type CategoryKind,
  type CategoryState,
  findCategory,
  findNewestCategory,
  insertCategory,
  insertType,
  listCategoriesByKind,
  selectNewestCategoryId,
  startDefaultHoursUpdate,
  updateCategoryRow,
} from './categories.queries.ts';
import {
  categoryCreateInput,
  categoryTree,
  categoryUpdateInput,
  createdItem,
  typeCreateInput,
} from './categories.schema.ts';

const ITEMS_MAX_BY_KIND: Record<CategoryKind, number> = { category: 100, type: 1_000 };

export const listCategoriesAndTypes = defineOperation(
  {
    name: 'listCategoriesAndTypes',
    summary: 'List categories with their types, including inactive ones',
    access: 'session',
    capability: 'manageCategories',
    effect: 'read',
    input: z.strictObject({}),
    output: categoryTree,
  },
  async ({ caller, db, reach }) => {
    const [categories, types] = await db.batch([
      listCategoriesByKind(caller, 'category'),
      listCategoriesByKind(caller, 'type'),
    ]);
    const byCategory = Map.groupBy(types, ({ category }) => category);
    return {
      categories: categories.map((each) => ({
        ...toCategory(each),
        types: (byCategory.get(each.id) ?? []).map(toCategory),
      })),
      mayChange: reach === 'all',
    };
  },
);

export const createCategory = defineOperation(
  {
    name: 'createCategory',
    summary: 'Create a task category',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: categoryCreateInput,
    output: createdItem,
    replay: { entity: selectNewestCategoryId('category'), rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { value, defaultEstimatedHours: hours }) => {
    requirePermissionToChangeCategories(ctx);
    return insertCategoryOrType(
      ctx,
      'category',
      value,
      insertCategory(ctx.caller, { key: toCategoryKey(value), value, hours }),
    );
  },
);

export const createType = defineOperation(
  {
    name: 'createType',
    summary: 'Create a task type in a category',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: typeCreateInput,
    output: createdItem,
    replay: { entity: selectNewestCategoryId('type'), rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { categoryId, value, defaultEstimatedHours: hours }) => {
    requirePermissionToChangeCategories(ctx);
    const [category] = await ctx.db.batch([findCategory(ctx.caller, 'category', categoryId)]);
    if (!category) throw categoryNotFoundError('category', categoryId);
    return insertCategoryOrType(
      ctx,
      'type',
      value,
      insertType(ctx.caller, categoryId, { key: toCategoryKey(value), value, hours }),
    );
  },
);

const updateSpec = {
  access: 'session',
  capability: 'manageCategories',
  effect: 'write',
  output: successOutput,
} as const;

export const updateCategory = defineOperation(
  {
    ...updateSpec,
    name: 'updateCategory',
    summary: 'Rename a category, change its default hours, or deactivate it',
    input: categoryUpdateInput,
    replay: successReplay,
  },
  (ctx, input) => changeCategory(ctx, 'category', input),
);

export const updateType = defineOperation(
  {
    ...updateSpec,
    name: 'updateType',
    summary: 'Rename a type, change its default hours, or deactivate it',
    input: categoryUpdateInput,
    replay: successReplay,
  },
  (ctx, input) => changeCategory(ctx, 'type', input),
);

async function insertCategoryOrType(
  ctx: Context,
  kind: CategoryKind,
  value: string,
  statement: ReturnType<typeof insertCategory>,
) {
  const [found] = await ctx.db.writeThenRead(
    [
      statement,
      assertCategoriesMax(ctx.caller, kind, ITEMS_MAX_BY_KIND[kind]),
      recordEvent(ctx, {
        type: `${kind}.created`,
        entity: selectNewestCategoryId(kind),
        changes: { value: { from: null, to: value } },
      }),
    ],
    [findNewestCategory(ctx.caller, kind)],
  );
  return found;
}

async function changeCategory(ctx: Context, kind: CategoryKind, input: z.output<typeof categoryUpdateInput>) {
  const { caller, db } = ctx;
  const [item] = await db.batch([findCategory(caller, kind, input.id)]);
  if (!item) throw categoryNotFoundError(kind, input.id);
  requirePermissionToChangeCategories(ctx);
  requireCurrentSnapshot(ctx.snapshot, input, toCategory(item), { type: `${kind}.updated`, id: item.id });
  const next: CategoryState = {
    ...item,
    value: input.value ?? item.value,
    hours: input.defaultEstimatedHours === undefined ? item.hours : input.defaultEstimatedHours,
    is_active: input.isActive === undefined ? item.is_active : input.isActive ? 1 : 0,
  };
  const changes = toFieldChanges(item, next);
  if (Object.keys(changes).length === 0) return { success: true as const };
  await db.batch([
    assertCategoryUnchanged(caller, kind, item),
    recordEvent(ctx, { type: `${kind}.updated`, entity: item.id, changes }),
    updateCategoryRow(caller, kind, next),
    ...(next.hours === item.hours ? [] : [startDefaultHoursUpdate(caller, item.category)]),
  ]);
  return { success: true as const };
}

function toFieldChanges(from: CategoryState, to: CategoryState): Record<string, FieldChange> {
  return {
    ...(from.value !== to.value && { value: { from: from.value, to: to.value } }),
    ...(from.hours !== to.hours && { defaultEstimatedHours: { from: from.hours, to: to.hours } }),
    ...(from.is_active !== to.is_active && {
      isActive: { from: from.is_active === 1, to: to.is_active === 1 },
    }),
  };
}

function requirePermissionToChangeCategories({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only leads, admins and owners can change categories and types; your role is ${caller.role}. Ask one of them.`,
  );
}

function categoryNotFoundError(kind: CategoryKind, id: number) {
  const listing = kind === 'category' ? 'listTaskCategories' : 'listTaskTypes';
  return notFoundError(`task ${kind}`, id, ({ call }) => call(listing));
}

const KEY_CHARACTERS_MAX = 60;

/** Turns `Visual design` into `visual-design`. Returns `other` for a name without Latin letters or digits. */
function toCategoryKey(value: string): string {
  const plain = value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const key = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return key.slice(0, KEY_CHARACTERS_MAX) || 'other';
}

function toCategory({ id, key, value, hours, is_active }: CategoryState) {
  return { id, key, value, defaultEstimatedHours: hours, isActive: is_active === 1 };
}
