import { DAY_MS } from '../../kernel/dates/durations.ts';
import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { CustomFieldType } from '../../schema/cell/custom-fields.ts';

export const FIELD_RESTORE_WINDOW_MS = 30 * DAY_MS;

export function requirePermissionToChangeFields({ caller, reach }: Pick<Context, 'caller' | 'reach'>) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only leads, admins and owners can change custom fields; your role is ${caller.role}. Ask one of them.`,
  );
}

export function fieldNotFoundError(id: number): AppError {
  return notFoundError('custom field', id, ({ call }) => call('listCustomFields'));
}

export function hasOptions(type: CustomFieldType): boolean {
  return type === 'select' || type === 'multi_select';
}

export function requireOptionsFit(type: CustomFieldType, options: readonly unknown[]) {
  if (options.length === 0 || hasOptions(type)) return;
  throw invalidRequestError(
    ({ field }) =>
      `${field('options')} must be empty for a field of type ${type}; only select fields have options.`,
  );
}
