import { describeError, log } from '../../kernel/operation/log.ts';
import { insertPlacement, listCellsOf } from './directory.queries.ts';
import {
  endBelongings,
  findMembership,
  type KeptMembership,
  listUnsettled,
  markSettled,
  putMembership,
} from './memberships.queries.ts';
import type { ProvisionContext } from './provision.ts';
import { updateCellsOf } from './workspaces.queries.ts';

type Databases = Pick<ProvisionContext, 'directory' | 'cell'>;

/** Tells the directory which memberships of a cell began, ended or began again, by hand too. Answers which. */
export async function settleMemberships(
  ctx: Databases,
  no: number,
  now: number,
  limit: number,
): Promise<KeptMembership[]> {
  const cell = ctx.cell(no);
  const [unsettled] = await cell.batch([listUnsettled(limit)]);
  if (unsettled.length > 0) await cell.batch(endBelongings(now));
  for (const membership of unsettled) await settle(ctx, no, membership);
  return unsettled;
}

/**
 * Tells the directory what the cell decided of a membership. If that fails, the answer is no other: the cell has decided,
 * and the cron tells the directory within a minute.
 */
export async function settleSoon(
  ctx: Databases,
  no: number,
  workspaceId: string,
  userId: string,
): Promise<void> {
  try {
    const [membership] = await ctx.cell(no).batch([findMembership(workspaceId, userId)]);
    if (membership?.is_settled === 0) await settle(ctx, no, membership);
  } catch (error) {
    log('error', 'membership.unsettled', { workspace: workspaceId, cause: describeError(error) });
  }
}

/** Calls of settling one membership, besides one for each cell of the person. */
export const SETTLE_STATEMENTS = 4;

export async function settle(ctx: Databases, no: number, membership: KeptMembership): Promise<void> {
  const [, , cells] = await ctx.directory.batch([
    // A workspace that was founded here may be unknown there.
    insertPlacement(membership.workspace_id, no, membership.since),
    putMembership(membership),
    listCellsOf(membership.user_id),
  ]);
  await spreadCells(
    ctx,
    membership.user_id,
    cells.map(({ cell }) => cell),
  );
  await ctx.cell(no).batch([markSettled(membership)]);
}

/** Writes into each row of a person in which cells they have rows: their notifications are read from all of them. */
export async function spreadCells(ctx: Databases, userId: string, cells: readonly number[]): Promise<void> {
  if (cells.length < 2) return;
  await Promise.all(cells.map((each) => ctx.cell(each).batch([updateCellsOf(userId, cells)])));
}
