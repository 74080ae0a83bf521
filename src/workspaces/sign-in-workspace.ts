import {
  findWorkspacesByEmail,
  type JoinedWorkspace,
  listCellsOf,
  type WorkspaceLocation,
} from './directory.queries.ts';
import { type ProvisionContext, provisionFirstWorkspace, refillFirstWorkspace } from './provision.ts';
import { countWorkspace, findMembership, type Membership, type Person } from './workspaces.queries.ts';

/** A member of a workspace, and the cell of the workspace. */
export type MembershipInCell = Membership & { readonly cell: number };

/** The workspaces of the person with this address, for the batch that looks the account up. */
export const findWorkspacesOfEmail = findWorkspacesByEmail;

/**
 * The workspace that a login opens: the earliest joined one in which the person still is. If a verification broke off
 * before it wrote the cell, this writes it. Null if the person is no longer in any workspace.
 */
export async function openWorkspace(
  ctx: ProvisionContext,
  person: Person,
  locations: readonly JoinedWorkspace[],
): Promise<MembershipInCell | null> {
  for (const location of locations.filter(({ endedAt }) => endedAt === null)) {
    const [membership, exists] = await ctx
      .cell(location.cell)
      .batch([findMembership(location.workspaceId, person.id), countWorkspace(location.workspaceId)]);
    if (membership) return { ...membership, cell: location.cell };
    if (exists === 0) return repair(ctx, person, location);
  }
  if (locations.length > 0) return null;
  return readMembership(ctx, person, await provisionFirstWorkspace(ctx, person));
}

async function repair(
  ctx: ProvisionContext,
  person: Person,
  location: WorkspaceLocation,
): Promise<MembershipInCell | null> {
  const [cells] = await ctx.directory.batch([listCellsOf(person.id)]);
  await refillFirstWorkspace(
    ctx,
    person,
    location,
    cells.map(({ cell }) => cell),
  );
  return readMembership(ctx, person, location);
}

async function readMembership(
  ctx: ProvisionContext,
  person: Person,
  location: WorkspaceLocation,
): Promise<MembershipInCell | null> {
  const [membership] = await ctx.cell(location.cell).batch([findMembership(location.workspaceId, person.id)]);
  return membership ? { ...membership, cell: location.cell } : null;
}
