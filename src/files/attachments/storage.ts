import type { Caller, Plan } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { hashSecret, randomSecret } from '../../kernel/secrets/tokens.ts';
import type { Storage } from './storage.queries.ts';

const GIB = 1024 ** 3;
const planBytesMax: Record<Plan, number> = { free: GIB, medium: 50 * GIB, pro: 1024 * GIB };

export function storageBytesMax({ plan }: Pick<Caller, 'plan'>): number {
  return planBytesMax[plan];
}

/** Throws 403 if the bytes do not fit; the batch that reserves them checks again. */
export function requireStorage(caller: Caller, { used, reserved }: Storage, askedBytes: number) {
  const allowed = storageBytesMax(caller);
  if (used + reserved + askedBytes <= allowed) return;
  throw new AppError(
    'forbidden_plan',
    `The file exceeds the storage limit of the ${caller.plan} plan: ${askedBytes} bytes requested, ${used + reserved} of ${allowed} in use (${used} by files, ${reserved} by pending uploads). Finish or abort uploads, delete files, or upgrade the plan.`,
  );
}

/** A key that no object had before: cell, workspace, 160 random bits. */
export function createObjectKey({ cell, workspaceId }: Caller): string {
  return `${cell}/${workspaceId}/${randomSecret()}`;
}

/** Key of the copy of an upload: the same for the same bytes, so that a second confirm makes no second copy. */
export function copyKeyOf({ cell, workspaceId }: Caller, s3Key: string, etag: string): string {
  return `${cell}/${workspaceId}/${hashSecret(`${s3Key} ${etag}`)}`;
}

/** The cell that knows an object; null for a key that this deployment never gave. */
export function cellOfObjectKey(s3Key: string): number | null {
  const cell = /^(\d{1,4})\/ws_[^/]+\/[\w-]+$/.exec(s3Key)?.[1];
  return cell === undefined ? null : Number(cell);
}
