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
 * Takes a person out of a workspace. Their keys, tokens and sessions of it fail with the next request, their timer stops,
 * and what they did stays theirs. False if they were never a member; repeating it changes nothing.
 * @param db the cell, with a guard if a caller asked for this.
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
  // The cell comes first, because it decides. After a crash before the directory, `settleMemberships` finds the row.
  await cell.batch(endMember(workspaceId, userId, ctx.now));
  const [ended] = await cell.batch([findMembership(workspaceId, userId)]);
  if (!ended) return false;
  if (ended.isSettled === 0) await settle(ctx.directory, cell, ended);
  return true;
}

/** Tells the directory which memberships of a cell ended or began again, by hand too. Answers which. */
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
