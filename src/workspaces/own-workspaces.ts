import { rangeOf } from '../kernel/pagination.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { listPlaces, type Place } from './directory.queries.ts';
import { listWorkspacesOf } from './workspaces.queries.ts';

export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
  readonly cell: number;
}

const firstPage = rangeOf({ limit: 100, offset: 0 }, 2);

/** The workspaces that a person is a member of, earliest joined first; what a page lets them choose from. */
export async function listOwnWorkspaces(scope: Scope, userId: string): Promise<OwnWorkspace[]> {
  const [places] = await scope.directory.batch([listPlaces(userId, firstPage)]);
  const found = await workspacesAt(scope, userId, places);
  return found.map(({ place, workspace }) => ({ id: workspace.id, name: workspace.name, cell: place.cell }));
}

/**
 * What the cells say of a person's workspaces, in the order of `places`. One that its cell does not know yet (a crash
 * while it was made) is left out.
 */
export async function workspacesAt<T extends Place>(scope: Scope, userId: string, places: readonly T[]) {
  const byCell = Map.groupBy(places, ({ cell }) => cell);
  const found = await Promise.all(
    [...byCell].map(([cell, there]) => {
      const ids = there.map(({ workspaceId }) => workspaceId);
      return scope.cell(cell).batch([listWorkspacesOf(userId, ids)]);
    }),
  );
  const byId = new Map(found.flatMap(([workspaces]) => workspaces.map((each) => [each.id, each])));
  return places.flatMap((place) => {
    const workspace = byId.get(place.workspaceId);
    return workspace ? [{ place, workspace }] : [];
  });
}
