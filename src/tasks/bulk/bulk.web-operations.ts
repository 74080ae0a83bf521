import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { undoChangesOfTasks } from './undo.ts';

export const bulkWebOperations: readonly AnyOperation[] = [undoChangesOfTasks];
