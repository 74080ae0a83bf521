import type { Database } from '../kernel/database.ts';
import { findPlacement } from './directory.queries.ts';
import {
  copyEnd,
  endBelongings,
  endMember,
  findMembership,
  type KeptMembership,
  listUnsettled,
  markSettled,
} from './memberships.queries.ts';
import type { ProvisionContext } from './provision.ts';

type Databases = Pick<Database, 'batch'>;

/**
 * Takes a person out of a workspace: their keys, tokens and sessions of it fail with the next request, their timer
 * stops, what they did stays theirs. False where they were never a member; repeating it changes nothing.
 * @param db the cell, guarded where somebody asked for it.
 */
export async function endMembership(
  ctx: Pick<ProvisionContext, 'directory' | 'cell' | 'now'>,
  workspaceId: string,
  userId: string,
  db?: Databases,
): Promise<boolean> {
  const [placement] = await ctx.directory.batch([findPlacement(workspaceId)]);
  if (!placement) return false;
  const cell = db ?? ctx.cell(placement.cell);
  // The cell first: it decides, and a crash before the directory knows leaves a row that `settleMemberships` finds.
  await cell.batch(endMember(workspaceId, userId, ctx.now));
  const [ended] = await cell.batch([findMembership(workspaceId, userId)]);
  if (!ended) return false;
  if (ended.isSettled === 0) await settle(ctx.directory, cell, ended);
  return true;
}

/** Tells the directory what became of memberships of a cell, also of those that were ended by hand. Answers which. */
export async function settleMemberships(
  directory: Databases,
  cell: Databases,
  now: number,
  limit: number,
): Promise<KeptMembership[]> {
  const [unsettled] = await cell.batch([listUnsettled(limit)]);
  if (unsettled.length > 0) await cell.batch(endBelongings(now));
  for (const membership of unsettled) await settle(directory, cell, membership);
  return unsettled;
}

export async function settle(
  directory: Databases,
  cell: Databases,
  membership: KeptMembership,
): Promise<void> {
  await directory.batch([copyEnd(membership)]);
  await cell.batch([markSettled(membership)]);
}
