import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { restoreConvertedLine } from './convert-line.ts';

export const conversionWebOperations: readonly AnyOperation[] = [restoreConvertedLine];
