import type { Plan, Role } from '../kernel/access.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { createId } from '../kernel/tokens.ts';
import { defaultCategories } from './defaults.ts';
import {
  findPlacement,
  findPlaces,
  insertFirstPlace,
  insertMembership,
  insertPlacement,
  listCellSizes,
  listCellsOf,
  listClosedCells,
  type Place,
} from './directory.queries.ts';
import { settle } from './end-membership.ts';
import { findMembership } from './memberships.queries.ts';
import {
  insertCategories,
  insertMember,
  insertOwner,
  insertStarterProject,
  insertTypes,
  insertWorkspace,
  type Person,
  updateCellsOf,
} from './workspaces.queries.ts';

export type { Person } from './workspaces.queries.ts';

/** What provisioning needs of a request's scope; a script brings its own. */
export type Ground = Pick<Scope, 'config' | 'directory' | 'cell' | 'now'>;

interface WorkspaceOptions {
  id?: string;
  name: string;
  plan?: Plan;
  /** By default the least filled open one. */
  cell?: number;
  /** By default true. */
  withStarterProject?: boolean;
}

/**
 * Creates a workspace with its owner, categories, types and starter project. Repeating it with the same id completes
 * what a crash left half done and changes nothing else.
 */
export async function createWorkspace(
  ground: Ground,
  owner: Person,
  options: WorkspaceOptions,
): Promise<Place> {
  const workspaceId = options.id ?? createId('ws');
  const wanted = options.cell ?? (await chooseCell(ground));
  const [, , placement, cells] = await ground.directory.batch([
    insertPlacement(workspaceId, wanted, ground.now),
    insertMembership(owner.id, workspaceId, ground.now),
    findPlacement(workspaceId),
    listCellsOf(owner.id),
  ]);
  const place = { workspaceId, cell: placement?.cell ?? wanted };
  await fillWorkspace(ground, owner, place, numbers(cells), options);
  return place;
}

/** The first workspace of somebody who has just verified; safe to repeat and to run twice at once. */
export async function provisionFirstWorkspace(ground: Ground, person: Person): Promise<Place> {
  const candidate = { workspaceId: createId('ws'), cell: await chooseCell(ground) };
  const [, , [place = candidate], cells] = await ground.directory.batch([
    ...insertFirstPlace(person.id, candidate, ground.now),
    findPlaces(person.id),
    listCellsOf(person.id),
  ]);
  await refillFirstWorkspace(ground, person, place, numbers(cells));
  return place;
}

/** Writes what the directory promised and the cell does not have. */
export async function refillFirstWorkspace(
  ground: Ground,
  person: Person,
  place: Place,
  cells: readonly number[],
): Promise<void> {
  await fillWorkspace(ground, person, place, cells, { name: `${person.name}'s workspace` });
}

/** Adds a person to a workspace; who left it gets their membership back. Repeating it changes nothing. */
export async function addMember(
  ground: Ground,
  workspaceId: string,
  person: Person,
  role: Role,
): Promise<void> {
  const [placement] = await ground.directory.batch([findPlacement(workspaceId)]);
  if (!placement) throw new Error(`There is no workspace ${workspaceId} to add ${person.id} to`);
  const [, cells] = await ground.directory.batch([
    insertMembership(person.id, workspaceId, ground.now),
    listCellsOf(person.id),
  ]);
  const cell = ground.cell(placement.cell);
  const [, kept] = await cell.batch([
    insertMember(workspaceId, person, role, numbers(cells), ground.now),
    findMembership(workspaceId, person.id),
  ]);
  if (kept?.isSettled === 0) await settle(ground.directory, cell, kept);
  await spreadCells(ground, person, numbers(cells));
}

async function fillWorkspace(
  ground: Ground,
  owner: Person,
  { workspaceId, cell }: Place,
  cells: readonly number[],
  { name, plan = 'free', withStarterProject = true }: WorkspaceOptions,
) {
  await ground
    .cell(cell)
    .batch([
      insertWorkspace({ id: workspaceId, name, plan }, ground.now),
      insertOwner(workspaceId, owner, cells, ground.now),
      insertCategories(workspaceId, defaultCategories),
      insertTypes(workspaceId, defaultCategories),
      ...(withStarterProject ? insertStarterProject(workspaceId, owner.id, ground.now) : []),
    ]);
  await spreadCells(ground, owner, cells);
}

/** Their notifications are read from every cell that one of their rows names. */
async function spreadCells(ground: Ground, person: Person, cells: readonly number[]) {
  if (cells.length < 2) return;
  await Promise.all(cells.map((cell) => ground.cell(cell).batch([updateCellsOf(person.id, cells)])));
}

async function chooseCell({ config, directory }: Ground): Promise<number> {
  const [closed, sizes] = await directory.batch([listClosedCells(), listCellSizes()]);
  const closedCells = new Set(numbers(closed));
  const filled = new Map(sizes.map(({ cell, workspaces }) => [cell, workspaces]));
  const open = [...config.cells.keys()]
    .filter((cell) => !closedCells.has(cell))
    .sort((a, b) => (filled.get(a) ?? 0) - (filled.get(b) ?? 0) || a - b);
  const [least] = open;
  if (least === undefined) throw new Error('Every bound cell is closed; bind another one (docs/scaling.md)');
  return least;
}

function numbers(cells: readonly { cell: number }[]): number[] {
  return cells.map(({ cell }) => cell);
}
