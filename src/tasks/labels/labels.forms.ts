import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listLabelChoices, updateLabel } from './labels.ts';

export const labelForms: readonly AnyOperation[] = [listLabelChoices, updateLabel];
