import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { removeProjectFile, removeTaskFile } from './remove.ts';
import { restoreProjectFile, restoreTaskFile } from './restore.ts';

export const attachmentWebOperations: readonly AnyOperation[] = [
  removeTaskFile,
  restoreTaskFile,
  removeProjectFile,
  restoreProjectFile,
];
