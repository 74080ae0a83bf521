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

/** Copies memberships that changed in a cell to the directory, even after manual changes. Returns them. */
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

/** Copies a membership to the directory. Failures are only logged, because the cron repeats it within a minute. */
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

/** Calls per membership, plus one per cell of the person. */
export const SETTLE_STATEMENTS = 4;

export async function settle(ctx: Databases, no: number, membership: KeptMembership): Promise<void> {
  const [, , cells] = await ctx.directory.batch([
    // A workspace created in the cell may not be in the directory yet.
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

/** Each of the person's cells stores the list, because notifications are read from all of them. */
export async function spreadCells(ctx: Databases, userId: string, cells: readonly number[]): Promise<void> {
  if (cells.length < 2) return;
  await Promise.all(cells.map((each) => ctx.cell(each).batch([updateCellsOf(userId, cells)])));
}
