import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { getTaskPermissions } from './task-permissions.ts';

export const trashWebOperations: readonly AnyOperation[] = [getTaskPermissions];
