import { rangeOf } from '../kernel/pagination.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { listPlaces } from './directory.queries.ts';
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
  const cells = [...new Set(places.map(({ cell }) => cell))];
  const found = await Promise.all(
    cells.map(async (cell) => {
      const ids = places.filter((place) => place.cell === cell).map(({ workspaceId }) => workspaceId);
      const [workspaces] = await scope.cell(cell).batch([listWorkspacesOf(userId, ids)]);
      return workspaces;
    }),
  );
  const names = new Map(found.flat().map(({ id, name }) => [id, name]));
  return places.flatMap(({ workspaceId, cell }) => {
    const name = names.get(workspaceId);
    return name === undefined ? [] : [{ id: workspaceId, name, cell }];
  });
}
