import type { Caller, Plan } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import type { StorageUsage } from './storage.queries.ts';

const GIB = 1024 ** 3;
const planBytesMax: Record<Plan, number> = { free: GIB, medium: 50 * GIB, pro: 1024 * GIB };

export function getStorageBytesMax({ plan }: Pick<Caller, 'plan'>): number {
  return planBytesMax[plan];
}

/**
 * Throws 403 if the workspace's storage has no room for the bytes. The batch that reserves the bytes checks this again.
 */
export function requireStorageSpace(caller: Caller, { used, reserved }: StorageUsage, askedBytes: number) {
  const allowed = getStorageBytesMax(caller);
  if (used + reserved + askedBytes <= allowed) return;
  throw new AppError(
    'forbidden_plan',
    `The file exceeds the storage limit of the ${caller.plan} plan: ${formatNumber(askedBytes)} bytes requested, ${formatNumber(used + reserved)} of ${formatNumber(allowed)} in use (${formatNumber(used)} by files, ${formatNumber(reserved)} by pending uploads). Finish or abort uploads, delete files, or upgrade the plan.`,
  );
}

export function createObjectKey({ cell, workspaceId }: Caller): string {
  return `${cell}/${workspaceId}/${createSecret()}`;
}

/** Depends only on the upload and its bytes, so that confirming an upload twice doesn't create two copies. */
export function buildCopyKey({ cell, workspaceId }: Caller, s3Key: string, etag: string): string {
  return `${cell}/${workspaceId}/${hashSecret(`${s3Key} ${etag}`)}`;
}

export function parseObjectKeyCell(s3Key: string): number | null {
  const cell = /^(\d{1,4})\/ws_[^/]+\/[\w-]+$/.exec(s3Key)?.[1];
  return cell === undefined ? null : Number(cell);
}
