import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { EXPORT_FILE_BYTES_MAX } from '../model/exports.schema.ts';

export function requireExportPermission({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only owners and admins can export the workspace; your role is ${caller.role}. Ask one of them.`,
  );
}

export function exportNotFoundError(id: number): AppError {
  return notFoundError('export', id, ({ call }) => call('listExports'));
}

export function exportRunningError(id: number): AppError {
  return invalidRequestError(
    `Export ${id} is running, and a workspace runs one export at a time. Wait until it has finished, or delete it.`,
  );
}

export function requireFilesFit(bytes: number) {
  if (bytes <= EXPORT_FILE_BYTES_MAX) return;
  throw invalidRequestError(
    ({ field }) =>
      `An export can include up to ${formatNumber(EXPORT_FILE_BYTES_MAX)} bytes of files; the workspace has ${formatNumber(bytes)}. Send ${field('includeFiles')} as false, and download the files one by one.`,
  );
}
