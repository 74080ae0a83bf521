import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { undoTaskMove } from './undo-move.ts';

export const movingWebOperations: readonly AnyOperation[] = [undoTaskMove];
