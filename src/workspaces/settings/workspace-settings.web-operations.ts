import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { getWorkspaceSettings, updateWorkspace } from './change-workspace.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { getStepsTaken } from './first-steps.ts';

export const workspaceWebOperations: readonly AnyOperation[] = [
  getWorkspaceSettings,
  updateWorkspace,
  deleteWorkspace,
  getStepsTaken,
];
