import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { applyChangeSet, getChangeSet, listChangeSets, rejectChangeSet } from './review.ts';

export const changeSetWebOperations: readonly AnyOperation[] = [
  listChangeSets,
  getChangeSet,
  applyChangeSet,
  rejectChangeSet,
];
