import * as z from 'zod';
import { forbiddenError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import {
  assertFilterLimits,
  assertFilterUnchanged,
  countFilters,
  deleteFilter,
  type FilterRow,
  findFilter,
  findNewestFilter,
  insertFilter,
  listFilters,
  newestFilter,
  updateFilter,
} from './saved-filters.queries.ts';
import {
  FILTERS_MAX,
  renameFilterInput,
  replaceFilterInput,
  type SavedFilter,
  savedFilter,
  saveFilterInput,
} from './saved-filters.schema.ts';
import { type TaskFilter, taskFilterInput } from './task-filter.ts';

/* People find only tasks that they can see, so sharing a filter reveals nothing (docs/adr/0031). */

const savedFilterSpec = { access: 'session', capability: 'saveFilters' } as const;

export const listSavedFilters = defineOperation(
  {
    ...savedFilterSpec,
    name: 'listSavedFilters',
    summary: 'List your saved filters and shared filters',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({ data: z.array(savedFilter) }),
  },
  async (ctx) => {
    const [found] = await ctx.db.batch([listFilters(ctx.caller)]);
    return { data: found.map((each) => toSavedFilter(ctx, each)) };
  },
);

export const getSavedFilter = defineOperation(
  {
    ...savedFilterSpec,
    name: 'getSavedFilter',
    summary: 'Get a saved filter',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: savedFilter,
  },
  async (ctx, { id }) => toSavedFilter(ctx, await requireSavedFilter(ctx, id)),
);

export const saveFilter = defineOperation(
  {
    ...savedFilterSpec,
    name: 'saveFilter',
    summary: 'Save a task filter',
    effect: 'write',
    input: saveFilterInput,
    output: z.object({ id: integerId }),
    replay: { entity: newestFilter, rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { name, isShared, ...filter }) => {
    const { caller, db, now } = ctx;
    if (isShared) requirePermissionToShareFilters(ctx);
    await requireFilterLimits(ctx, { own: 1, shared: isShared ? 1 : 0 });
    const draft = { name, is_shared: isShared ? 1 : 0, filter: JSON.stringify(filter) } as const;
    const [found] = await db.writeThenRead(
      [insertFilter(caller, draft, now), assertFilterLimits(caller, caller.member)],
      [findNewestFilter(caller)],
    );
    return found;
  },
);

export const renameSavedFilter = defineOperation(
  {
    ...savedFilterSpec,
    name: 'renameSavedFilter',
    summary: 'Rename, share or unshare a saved filter',
    effect: 'write',
    input: renameFilterInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, name, isShared }) => {
    const found = await requireEditableFilter(ctx, id);
    requireCurrentSnapshot(ctx.snapshot, { name }, found, found.is_shared === 1 ? null : 'own');
    const isNowShared = isShared === true && found.is_shared === 0;
    if (isNowShared) {
      requirePermissionToShareFilters(ctx);
      await requireFilterLimits(ctx, { own: 0, shared: 1 });
    }
    const is_shared = isShared === undefined ? found.is_shared : isShared ? 1 : 0;
    await ctx.db.batch([
      assertFilterUnchanged(ctx.caller, found),
      updateFilter(ctx.caller, { ...found, name: name ?? found.name, is_shared }),
      ...(isNowShared ? [assertFilterLimits(ctx.caller, found.member)] : []),
    ]);
    return { success: true as const };
  },
);

export const replaceSavedFilter = defineOperation(
  {
    ...savedFilterSpec,
    name: 'replaceSavedFilter',
    summary: 'Change what a saved filter matches',
    effect: 'write',
    input: replaceFilterInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, ...filter }) => {
    const found = await requireEditableFilter(ctx, id);
    await ctx.db.batch([
      assertFilterUnchanged(ctx.caller, found),
      updateFilter(ctx.caller, { ...found, filter: JSON.stringify(filter) }),
    ]);
    return { success: true as const };
  },
);

export const deleteSavedFilter = defineOperation(
  {
    ...savedFilterSpec,
    name: 'deleteSavedFilter',
    summary: 'Delete a saved filter',
    effect: 'write',
    input: z.strictObject({ id: integerId }),
    output: z.object({ deleted: savedFilter.nullable() }),
    replay: { rebuild: async () => ({ deleted: null }) },
  },
  async (ctx, { id }) => {
    const found = await requireEditableFilter(ctx, id);
    await ctx.db.batch([assertFilterUnchanged(ctx.caller, found), deleteFilter(ctx.caller, id)]);
    return { deleted: toSavedFilter(ctx, found) };
  },
);

async function requireSavedFilter({ db, caller }: Context, id: number): Promise<FilterRow> {
  const [found] = await db.batch([findFilter(caller, id)]);
  if (!found) throw filterNotFoundError(id);
  return found;
}

async function requireEditableFilter(ctx: Context, id: number): Promise<FilterRow> {
  const found = await requireSavedFilter(ctx, id);
  if (canChangeFilter(ctx, found)) return found;
  throw forbiddenError(
    `Only ${found.maker}, admins and owners can change this filter; your role is ${ctx.caller.role}. Save your own copy instead.`,
  );
}

function canChangeFilter({ caller, reach }: Context, { member }: FilterRow): boolean {
  return member === caller.member || reach === 'all';
}

function requirePermissionToShareFilters({ caller, reach }: Context) {
  if (reach !== 'self') return;
  throw forbiddenError(
    `You can't share filters with the ${caller.role} role. Save the filter for yourself, or send a link to the page.`,
  );
}

async function requireFilterLimits(
  { db, caller }: Context,
  more: { own: number; shared: number },
): Promise<void> {
  const [counts] = await db.batch([countFilters(caller)]);
  if (more.own > 0 && counts.own >= FILTERS_MAX) {
    throw invalidRequestError(`You've reached the limit of ${FILTERS_MAX} saved filters. Delete one first.`);
  }
  if (more.shared > 0 && counts.shared >= FILTERS_MAX) {
    throw invalidRequestError(
      `This workspace has reached the limit of ${FILTERS_MAX} shared filters. Unshare one first.`,
    );
  }
}

export function filterNotFoundError(id: number) {
  return notFoundError('saved filter', id, () => 'the list of saved filters');
}

function toSavedFilter(ctx: Context, row: FilterRow): SavedFilter {
  const isOwn = row.member === ctx.caller.member;
  return {
    id: row.id,
    name: row.name,
    isShared: row.is_shared === 1,
    maker: isOwn ? null : { name: row.maker },
    mayChange: canChangeFilter(ctx, row),
    filter: parseFilter(row.filter),
  };
}

/** Returns an empty filter if an older version of Edgework stored a filter that is no longer valid. */
export function parseFilter(json: string): TaskFilter {
  const found = taskFilterInput.safeParse(JSON.parse(json));
  return found.success ? found.data : {};
}
