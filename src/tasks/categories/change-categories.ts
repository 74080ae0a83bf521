import * as z from 'zod';
import type { FieldChange } from '../../events/log/event-types.ts';
import { recordEvent } from '../../events/log/record.queries.ts';
import { forbiddenError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { repeatSuccess, successOutput } from '../../kernel/operation/schema.ts';
import { requireSnapshot } from '../../kernel/operation/snapshot.ts';
import {
  assertItem,
  findItem,
  findNewestItem,
  type ItemKind,
  type ItemState,
  insertCategory,
  insertType,
  listItems,
  requireItemLimit,
  selectNewestId,
  startHourChange,
  updateItem,
} from './categories.queries.ts';
import {
  categoryCreateInput,
  categoryTree,
  categoryUpdateInput,
  createdItem,
  typeCreateInput,
} from './categories.schema.ts';

const ITEMS_MAX: Record<ItemKind, number> = { category: 100, type: 1_000 };

export const listCategoriesAndTypes = operation(
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
    const [categories, types] = await db.batch([listItems(caller, 'category'), listItems(caller, 'type')]);
    const byCategory = Map.groupBy(types, ({ category }) => category);
    return {
      categories: categories.map((each) => ({
        ...toItem(each),
        types: (byCategory.get(each.id) ?? []).map(toItem),
      })),
      mayChange: reach === 'all',
    };
  },
);

export const createCategory = operation(
  {
    name: 'createCategory',
    summary: 'Create a task category',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: categoryCreateInput,
    output: createdItem,
    repeat: { entity: selectNewestId('category'), answer: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { value, defaultEstimatedHours: hours }) => {
    requireReach(ctx);
    return insertItem(
      ctx,
      'category',
      value,
      insertCategory(ctx.caller, { key: toKey(value), value, hours }),
    );
  },
);

export const createType = operation(
  {
    name: 'createType',
    summary: 'Create a task type in a category',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: typeCreateInput,
    output: createdItem,
    repeat: { entity: selectNewestId('type'), answer: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { categoryId, value, defaultEstimatedHours: hours }) => {
    requireReach(ctx);
    const [category] = await ctx.db.batch([findItem(ctx.caller, 'category', categoryId)]);
    if (!category) throw itemNotFoundError('category', categoryId);
    return insertItem(
      ctx,
      'type',
      value,
      insertType(ctx.caller, categoryId, { key: toKey(value), value, hours }),
    );
  },
);

const updateSpec = {
  access: 'session',
  capability: 'manageCategories',
  effect: 'write',
  output: successOutput,
} as const;

export const updateCategory = operation(
  {
    ...updateSpec,
    name: 'updateCategory',
    summary: 'Rename a category, change its default hours, or deactivate it',
    input: categoryUpdateInput,
    repeat: repeatSuccess,
  },
  (ctx, input) => changeItem(ctx, 'category', input),
);

export const updateType = operation(
  {
    ...updateSpec,
    name: 'updateType',
    summary: 'Rename a type, change its default hours, or deactivate it',
    input: categoryUpdateInput,
    repeat: repeatSuccess,
  },
  (ctx, input) => changeItem(ctx, 'type', input),
);

async function insertItem(
  ctx: Context,
  kind: ItemKind,
  value: string,
  statement: ReturnType<typeof insertCategory>,
) {
  const [found] = await ctx.db.writeThenRead(
    [
      statement,
      requireItemLimit(ctx.caller, kind, ITEMS_MAX[kind]),
      recordEvent(ctx, {
        type: `${kind}.created`,
        entity: selectNewestId(kind),
        changes: { value: { from: null, to: value } },
      }),
    ],
    [findNewestItem(ctx.caller, kind)],
  );
  return found;
}

async function changeItem(ctx: Context, kind: ItemKind, input: z.output<typeof categoryUpdateInput>) {
  const { caller, db } = ctx;
  const [item] = await db.batch([findItem(caller, kind, input.id)]);
  if (!item) throw itemNotFoundError(kind, input.id);
  requireReach(ctx);
  requireSnapshot(ctx.shown, input, toItem(item), { type: `${kind}.updated`, id: item.id });
  const next: ItemState = {
    ...item,
    value: input.value ?? item.value,
    hours: input.defaultEstimatedHours === undefined ? item.hours : input.defaultEstimatedHours,
    is_active: input.isActive === undefined ? item.is_active : input.isActive ? 1 : 0,
  };
  const changes = toFieldChanges(item, next);
  if (Object.keys(changes).length === 0) return { success: true as const };
  await db.batch([
    assertItem(caller, kind, item),
    recordEvent(ctx, { type: `${kind}.updated`, entity: item.id, changes }),
    updateItem(caller, kind, next),
    ...(next.hours === item.hours ? [] : [startHourChange(caller, item.category)]),
  ]);
  return { success: true as const };
}

function toFieldChanges(from: ItemState, to: ItemState): Record<string, FieldChange> {
  return {
    ...(from.value !== to.value && { value: { from: from.value, to: to.value } }),
    ...(from.hours !== to.hours && { defaultEstimatedHours: { from: from.hours, to: to.hours } }),
    ...(from.is_active !== to.is_active && {
      isActive: { from: from.is_active === 1, to: to.is_active === 1 },
    }),
  };
}

function requireReach({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only leads, admins and owners can change categories and types; your role is ${caller.role}. Ask one of them.`,
  );
}

function itemNotFoundError(kind: ItemKind, id: number) {
  const listing = kind === 'category' ? 'listTaskCategories' : 'listTaskTypes';
  return notFoundError(`task ${kind}`, id, ({ call }) => call(listing));
}

const KEY_CHARACTERS_MAX = 60;

/** `Visual design` becomes `visual-design`. The key of a name without any Latin letters or digits is `other`. */
function toKey(value: string): string {
  const plain = value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const key = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return key.slice(0, KEY_CHARACTERS_MAX) || 'other';
}

function toItem({ id, key, value, hours, is_active }: ItemState) {
  return { id, key, value, defaultEstimatedHours: hours, isActive: is_active === 1 };
}
