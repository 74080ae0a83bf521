import { type JoinedWorkspace, listPersonCells, type WorkspaceLocation } from './directory.queries.ts';
import { completeFirstWorkspace, type ProvisionContext, provisionFirstWorkspace } from './provision.ts';
import { countWorkspacesById, findMembership, type Membership, type Person } from './workspaces.queries.ts';

export type MembershipInCell = ReturnType<typeof toMembership>;

export function toMembership(
  cell: number,
  { user_id, workspace_id, workspace_name, sessions_from: _sessions_from, ...row }: Membership,
) {
  return { ...row, userId: user_id, workspaceId: workspace_id, workspaceName: workspace_name, cell };
}

/**
 * Returns the person's earliest active membership, or null. Creates the person's first workspace if it is missing, for
 * example after a crash.
 */
export async function resolveSignInMembership(
  ctx: ProvisionContext,
  person: Person,
  locations: readonly JoinedWorkspace[],
): Promise<MembershipInCell | null> {
  for (const location of locations.filter(({ ended_at }) => ended_at === null)) {
    const [membership, exists] = await ctx
      .cell(location.cell)
      .batch([findMembership(location.workspace_id, person.id), countWorkspacesById(location.workspace_id)]);
    if (membership) return toMembership(location.cell, membership);
    if (exists === 0) return repairFirstWorkspace(ctx, person, location);
  }
  if (locations.length > 0) return null;
  return readMembership(ctx, person, await provisionFirstWorkspace(ctx, person));
}

async function repairFirstWorkspace(
  ctx: ProvisionContext,
  person: Person,
  location: WorkspaceLocation,
): Promise<MembershipInCell | null> {
  const [cells] = await ctx.directory.batch([listPersonCells(person.id)]);
  await completeFirstWorkspace(
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
  const [membership] = await ctx
    .cell(location.cell)
    .batch([findMembership(location.workspace_id, person.id)]);
  return membership ? toMembership(location.cell, membership) : null;
}
