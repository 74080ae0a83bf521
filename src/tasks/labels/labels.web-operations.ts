import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listLabelChoices, updateLabel } from './labels.ts';

export const labelWebOperations: readonly AnyOperation[] = [listLabelChoices, updateLabel];
