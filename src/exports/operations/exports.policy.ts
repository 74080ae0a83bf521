import { DAY_MS } from '../../kernel/dates/durations.ts';
import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { countHit, tooManyRequestsError } from '../../kernel/rate-limit/rate-limit.ts';
import { formatNumber, formatWaitTime } from '../../kernel/text/number-format.ts';
import { EXPORT_FILE_BYTES_MAX } from '../model/exports.schema.ts';

const EXPORTS_PER_DAY_MAX = 20;

export function requireExportPermission({ caller, reach }: Context, contents: 'workspace' | 'own') {
  if (reach === 'all' || contents === 'own') return;
  throw forbiddenError(
    ({ field }) =>
      `Only owners and admins can export the workspace; your role is ${caller.role}. Ask one of them, or send ${field('contents')} as own to export only your own data.`,
  );
}

export function exportNotFoundError(id: number): AppError {
  return notFoundError('export', id, ({ call }) => call('listExports'));
}

export function exportRunningError(id: number, person: number): AppError {
  return invalidRequestError(
    `Export ${id} is running, and ${person === 0 ? 'a workspace runs one export' : 'each person can run one export of their own data'} at a time. Wait until it has finished, or delete it.`,
  );
}

/** Everyone can export, and deleting an export frees its place, so starts are limited too. */
export async function countExportStart({ caller, request }: Context, person: number): Promise<void> {
  const window = `export:${caller.workspaceId}:${person}`;
  const verdict = await countHit(request, window, EXPORTS_PER_DAY_MAX, DAY_MS, { durable: true });
  if (!verdict || verdict.allowed) return;
  throw tooManyRequestsError(
    verdict.resetSeconds,
    `Up to ${EXPORTS_PER_DAY_MAX} exports of ${person === 0 ? 'a workspace' : "a person's own data"} can be started per day. Try again in ${formatWaitTime(verdict.resetSeconds)}.`,
  );
}

export function requireFilesFit(bytes: number) {
  if (bytes <= EXPORT_FILE_BYTES_MAX) return;
  throw invalidRequestError(
    ({ field }) =>
      `An export can include up to ${formatNumber(EXPORT_FILE_BYTES_MAX)} bytes of files; the workspace has ${formatNumber(bytes)}. Send ${field('includeFiles')} as false, and download the files one by one.`,
  );
}
