import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';

export function requireImportPermission({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(`Only owners and admins can import; your role is ${caller.role}. Ask one of them.`);
}

export function importNotFoundError(id: number): AppError {
  return notFoundError('import', id, ({ call }) => call('listImports'));
}

const statusTexts = {
  ready: "hasn't started",
  running: 'is running',
  completed: 'has finished',
  canceled: 'was canceled',
  failed: 'has failed',
} as const;

export function requireImportStatus(
  { id, status }: { id: number; status: keyof typeof statusTexts },
  wanted: readonly (keyof typeof statusTexts)[],
  action: string,
) {
  if (wanted.includes(status)) return;
  throw invalidRequestError(
    `Import ${id} ${statusTexts[status]}, so it can't be ${action}. To import the file again, create a new import.`,
  );
}
