import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { undoChangesOfTasks } from './undo.ts';

export const bulkForms: readonly AnyOperation[] = [undoChangesOfTasks];
