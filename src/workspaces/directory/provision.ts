import type { Plan } from '../../kernel/access/access.ts';
import type { Role } from '../../kernel/access/roles.ts';
import { DEFAULT_TIME_ZONE } from '../../kernel/dates/time-zone.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { createId } from '../../kernel/secrets/tokens.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { toPercentUsed } from './cell-usage.ts';
import {
  copyMembershipToDirectory,
  storePersonCells,
  tryToCopyMembershipToDirectory,
} from './copy-memberships.ts';
import {
  findJoinedWorkspaces,
  findPlacement,
  insertFirstMembership,
  insertMembership,
  insertPlacement,
  listCellSizes,
  listCellUsage,
  listClosedCells,
  listPersonCells,
  type WorkspaceLocation,
} from './directory.queries.ts';
import { findMembership } from './memberships.queries.ts';
import { defaultCategories } from './workspace-defaults.ts';
import {
  insertMember,
  insertOwner,
  insertStarterProject,
  insertTaskCategories,
  insertTaskTypes,
  insertWorkspace,
  markOwnerUncopied,
  type Person,
} from './workspaces.queries.ts';

export type { Person } from './workspaces.queries.ts';

/** Scripts pass their own object instead of a request scope. */
export type ProvisionContext = Pick<RequestScope, 'config' | 'directory' | 'cell' | 'now'>;

interface WorkspaceOptions {
  id?: string;
  name: string;
  plan?: Plan;
  cell?: number;
  timeZone?: string | null;
  withStarterProject?: boolean;
}

interface FirstWorkspaceOptions {
  name?: string | undefined;
  timeZone?: string | null;
}

/** Calling this again with the same id completes an interrupted creation, and changes nothing else. */
export async function createWorkspace(
  ctx: ProvisionContext,
  owner: Person,
  options: WorkspaceOptions,
): Promise<WorkspaceLocation> {
  const workspaceId = options.id ?? createId('ws');
  const wanted = options.cell ?? (await chooseCell(ctx));
  const [, , placement, cells] = await ctx.directory.batch([
    insertPlacement(workspaceId, wanted, ctx.now),
    insertMembership(owner.id, workspaceId, ctx.now),
    findPlacement(workspaceId),
    listPersonCells(owner.id),
  ]);
  const location = { workspace_id: workspaceId, cell: placement?.cell ?? wanted };
  await populateWorkspace(ctx, owner, location, toCellNumbers(cells), options);
  return location;
}

export async function createWorkspaceLocation(ctx: ProvisionContext): Promise<WorkspaceLocation> {
  return { workspace_id: createId('ws'), cell: await chooseCell(ctx) };
}

/**
 * Safe to repeat. After a crash, `copyMembershipsToDirectory` copies the membership from the cell to the
 * directory.
 */
export async function createAnotherWorkspace(
  ctx: ProvisionContext,
  owner: Person,
  location: WorkspaceLocation,
  { name, timeZone }: { name: string; timeZone: string | null },
): Promise<void> {
  const [known] = await ctx.directory.batch([listPersonCells(owner.id)]);
  const cells = [...new Set([...toCellNumbers(known), location.cell])].sort((a, b) => a - b);
  const plan = ctx.config.defaultPlan;
  await ctx.cell(location.cell).batch([
    ...insertWorkspaceRows(ctx, owner, location.workspace_id, cells, {
      name,
      plan,
      timeZone,
      withStarterProject: true,
    }),
    markOwnerUncopied(location.workspace_id, owner.id),
  ]);
  await tryToCopyMembershipToDirectory(ctx, location.cell, location.workspace_id, owner.id);
}

/** Safe to repeat, even in parallel. */
export async function provisionFirstWorkspace(
  ctx: ProvisionContext,
  person: Person,
  options: FirstWorkspaceOptions = {},
): Promise<WorkspaceLocation> {
  const candidate = await createWorkspaceLocation(ctx);
  const [, , [location = candidate], cells] = await ctx.directory.batch([
    ...insertFirstMembership(person.id, candidate, ctx.now),
    findJoinedWorkspaces(person.id),
    listPersonCells(person.id),
  ]);
  await completeFirstWorkspace(ctx, person, location, toCellNumbers(cells), options);
  return location;
}

export async function completeFirstWorkspace(
  ctx: ProvisionContext,
  person: Person,
  location: WorkspaceLocation,
  cells: readonly number[],
  { name = buildFirstWorkspaceName(person), timeZone = null }: FirstWorkspaceOptions = {},
): Promise<void> {
  await populateWorkspace(ctx, person, location, cells, { name, timeZone });
}

export function buildFirstWorkspaceName({ name }: Pick<Person, 'name'>): string {
  return `${name}'s workspace`;
}

/** Also restores the membership of a person who has left. Safe to repeat. */
export async function addMember(
  ctx: ProvisionContext,
  workspaceId: string,
  person: Person,
  role: Role,
): Promise<void> {
  const [placement] = await ctx.directory.batch([findPlacement(workspaceId)]);
  if (!placement) throw new Error(`Can't add ${person.id}: workspace ${workspaceId} does not exist`);
  const [, cells] = await ctx.directory.batch([
    insertMembership(person.id, workspaceId, ctx.now),
    listPersonCells(person.id),
  ]);
  const cell = ctx.cell(placement.cell);
  const [, kept] = await cell.batch([
    insertMember(workspaceId, person, role, toCellNumbers(cells), ctx.now),
    findMembership(workspaceId, person.id),
  ]);
  if (kept?.is_settled === 0) await copyMembershipToDirectory(ctx, placement.cell, kept);
  await storePersonCells(ctx, person.id, toCellNumbers(cells));
}

async function populateWorkspace(
  ctx: ProvisionContext,
  owner: Person,
  { workspace_id: workspaceId, cell }: WorkspaceLocation,
  cells: readonly number[],
  { name, plan = ctx.config.defaultPlan, timeZone = null, withStarterProject = true }: WorkspaceOptions,
) {
  const rows = insertWorkspaceRows(ctx, owner, workspaceId, cells, {
    name,
    plan,
    timeZone,
    withStarterProject,
  });
  await ctx.cell(cell).batch(rows);
  await storePersonCells(ctx, owner.id, cells);
}

function insertWorkspaceRows(
  { now }: Pick<ProvisionContext, 'now'>,
  owner: Person,
  id: string,
  cells: readonly number[],
  {
    name,
    plan,
    timeZone,
    withStarterProject,
  }: Required<Pick<WorkspaceOptions, 'name' | 'plan' | 'timeZone' | 'withStarterProject'>>,
): Statement<void>[] {
  return [
    insertWorkspace({ id, name, plan, timezone: timeZone ?? DEFAULT_TIME_ZONE }, now),
    insertOwner(id, owner, cells, now),
    insertTaskCategories(id, defaultCategories),
    insertTaskTypes(id, defaultCategories),
    ...(withStarterProject ? insertStarterProject(id, owner.id, now) : []),
  ];
}

async function chooseCell({ config, directory }: ProvisionContext): Promise<number> {
  const [closed, usage, sizes] = await directory.batch([listClosedCells(), listCellUsage(), listCellSizes()]);
  const closedCells = new Set(toCellNumbers(closed));
  const used = new Map(usage.map((row) => [row.cell, row]));
  const filled = new Map(sizes.map(({ cell, workspaces }) => [cell, workspaces]));
  const [best] = [...config.cells.keys()]
    .filter((cell) => !closedCells.has(cell))
    .map((cell) => ({ cell, percent: toPercentUsed(used.get(cell)), workspaces: filled.get(cell) ?? 0 }))
    .sort((a, b) => a.percent - b.percent || a.workspaces - b.workspaces || a.cell - b.cell);
  if (best === undefined) throw new Error('Every bound cell is closed. Bind another cell (docs/scaling.md)');
  return best.cell;
}

function toCellNumbers(cells: readonly { cell: number }[]): number[] {
  return cells.map(({ cell }) => cell);
}
