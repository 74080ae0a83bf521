import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { parseQuickAdd } from './quick-add.ts';

export const quickAddWebOperations: readonly AnyOperation[] = [parseQuickAdd];
