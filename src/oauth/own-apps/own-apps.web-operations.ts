import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { createOwnApp, deleteOwnApp, listOwnApps, updateOwnApp } from './own-apps.ts';

export const ownAppWebOperations: readonly AnyOperation[] = [
  listOwnApps,
  createOwnApp,
  updateOwnApp,
  deleteOwnApp,
];
