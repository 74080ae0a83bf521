import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { deleteProject, listProjectDeletions } from './delete-project.ts';

export const projectDeletionForms: readonly AnyOperation[] = [deleteProject, listProjectDeletions];
