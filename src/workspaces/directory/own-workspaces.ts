import type { Role } from '../../kernel/access/roles.ts';
import { toRange } from '../../kernel/lists/pagination.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { listJoinedWorkspaces, type WorkspaceLocation } from './directory.queries.ts';
import { listMemberWorkspaces } from './workspaces.queries.ts';

export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
  readonly cell: number;
  readonly role: Role;
}

const firstPage = toRange({ limit: 100, offset: 0 }, 2);

export async function listOwnWorkspaces(scope: RequestScope, userId: string): Promise<OwnWorkspace[]> {
  const [locations] = await scope.directory.batch([listJoinedWorkspaces(userId, firstPage)]);
  const found = await readWorkspaces(scope, userId, locations);
  return found.map(({ location, workspace }) => ({
    id: workspace.id,
    name: workspace.name,
    cell: location.cell,
    role: workspace.role,
  }));
}

/** Keeps the order of `locations`. Skips workspaces that are missing from their cell after a crash. */
export async function readWorkspaces<T extends WorkspaceLocation>(
  scope: RequestScope,
  userId: string,
  locations: readonly T[],
) {
  const byCell = Map.groupBy(locations, ({ cell }) => cell);
  const found = await Promise.all(
    [...byCell].map(([cell, inCell]) => {
      const ids = inCell.map(({ workspace_id }) => workspace_id);
      return scope.cell(cell).batch([listMemberWorkspaces(userId, ids)]);
    }),
  );
  const byId = new Map(found.flatMap(([workspaces]) => workspaces.map((each) => [each.id, each])));
  return locations.flatMap((location) => {
    const workspace = byId.get(location.workspace_id);
    return workspace ? [{ location, workspace }] : [];
  });
}
