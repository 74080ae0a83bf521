import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { insertPlacement, listPersonCells } from './directory.queries.ts';
import {
  type CellMembership,
  findMembership,
  listUncopiedMemberships,
  markMembershipCopied,
  revokeFormerMemberAccess,
  upsertMembership,
} from './memberships.queries.ts';
import type { ProvisionContext } from './provision.ts';
import { updatePersonCells } from './workspaces.queries.ts';

type MembershipDatabases = Pick<ProvisionContext, 'directory' | 'cell'>;

/** Also copies memberships that were changed manually in the database. */
export async function copyMembershipsToDirectory(
  ctx: MembershipDatabases,
  no: number,
  now: number,
  limit: number,
): Promise<CellMembership[]> {
  const cell = ctx.cell(no);
  const [unsettled] = await cell.batch([listUncopiedMemberships(limit)]);
  if (unsettled.length > 0) await cell.batch(revokeFormerMemberAccess(now));
  for (const membership of unsettled) await copyMembershipToDirectory(ctx, no, membership);
  return unsettled;
}

/** Only logs a failure, because the `repairMemberships` cron job tries again within a minute. */
export async function tryToCopyMembershipToDirectory(
  ctx: MembershipDatabases,
  no: number,
  workspaceId: string,
  userId: string,
): Promise<void> {
  try {
    const [membership] = await ctx.cell(no).batch([findMembership(workspaceId, userId)]);
    if (membership?.is_settled === 0) await copyMembershipToDirectory(ctx, no, membership);
  } catch (error) {
    log('error', 'membership.unsettled', { workspace: workspaceId, cause: describeError(error) });
  }
}

/** The number of statements per membership, not counting one statement in each of the person's cells. */
export const CALLS_PER_COPIED_MEMBERSHIP = 4;

/** Skips bots, because the directory doesn't have them. */
export async function copyMembershipToDirectory(
  ctx: MembershipDatabases,
  no: number,
  membership: CellMembership,
): Promise<void> {
  if (isBotId(membership.user_id)) {
    await ctx.cell(no).batch([markMembershipCopied(membership)]);
    return;
  }
  const [, , cells] = await ctx.directory.batch([
    // A crash may have left a new workspace without a row in the directory.
    insertPlacement(membership.workspace_id, no, membership.since),
    upsertMembership(membership),
    listPersonCells(membership.user_id),
  ]);
  await storePersonCells(
    ctx,
    membership.user_id,
    cells.map(({ cell }) => cell),
  );
  await ctx.cell(no).batch([markMembershipCopied(membership)]);
}

/** Notifications are read from all of a person's cells, so each of these cells stores the list of cells. */
export async function storePersonCells(
  ctx: MembershipDatabases,
  userId: string,
  cells: readonly number[],
): Promise<void> {
  if (cells.length < 2) return;
  await Promise.all(cells.map((each) => ctx.cell(each).batch([updatePersonCells(userId, cells)])));
}
