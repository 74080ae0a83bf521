import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { understandTask } from './quick-add.ts';

export const quickAddForms: readonly AnyOperation[] = [understandTask];
