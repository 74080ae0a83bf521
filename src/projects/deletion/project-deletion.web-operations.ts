import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { deleteProject, listProjectDeletions } from './delete-project.ts';

export const projectDeletionWebOperations: readonly AnyOperation[] = [deleteProject, listProjectDeletions];
