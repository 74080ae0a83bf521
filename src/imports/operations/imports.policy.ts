import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';

export function requireMayImport({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(`Only owners and admins can import; your role is ${caller.role}. Ask one of them.`);
}

export function importNotFoundError(id: number): AppError {
  return notFoundError('import', id, ({ call }) => call('listImports'));
}

const states = {
  ready: "hasn't started",
  running: 'is running',
  completed: 'has finished',
  canceled: 'was canceled',
  failed: 'has failed',
} as const;

export function requireStatus(
  { id, status }: { id: number; status: keyof typeof states },
  wanted: readonly (keyof typeof states)[],
  action: string,
) {
  if (wanted.includes(status)) return;
  throw invalidRequestError(`Import ${id} ${states[status]}, so it can't be ${action}. Create a new import.`);
}
