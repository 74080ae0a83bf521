import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { restoreConvertedLine } from './convert-line.ts';

export const conversionForms: readonly AnyOperation[] = [restoreConvertedLine];
