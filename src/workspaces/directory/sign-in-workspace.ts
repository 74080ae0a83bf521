import { type JoinedWorkspace, listCellsOf, type WorkspaceLocation } from './directory.queries.ts';
import { type ProvisionContext, provisionFirstWorkspace, refillFirstWorkspace } from './provision.ts';
import { countWorkspace, findMembership, type Membership, type Person } from './workspaces.queries.ts';

export type MembershipInCell = ReturnType<typeof memberIn>;

export function memberIn(
  cell: number,
  { user_id, workspace_id, workspace_name, sessions_from: _sessions_from, ...row }: Membership,
) {
  return { ...row, userId: user_id, workspaceId: workspace_id, workspaceName: workspace_name, cell };
}

/** Returns the earliest joined workspace, or null. Completes a verification that a crash interrupted. */
export async function openWorkspace(
  ctx: ProvisionContext,
  person: Person,
  locations: readonly JoinedWorkspace[],
): Promise<MembershipInCell | null> {
  for (const location of locations.filter(({ ended_at }) => ended_at === null)) {
    const [membership, exists] = await ctx
      .cell(location.cell)
      .batch([findMembership(location.workspace_id, person.id), countWorkspace(location.workspace_id)]);
    if (membership) return memberIn(location.cell, membership);
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
  const [membership] = await ctx
    .cell(location.cell)
    .batch([findMembership(location.workspace_id, person.id)]);
  return membership ? memberIn(location.cell, membership) : null;
}
