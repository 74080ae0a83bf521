import type { AnyOperation } from '../../kernel/operation/operation.ts';
import {
  deleteSavedFilter,
  getSavedFilter,
  listSavedFilters,
  renameSavedFilter,
  replaceSavedFilter,
  saveFilter,
} from './saved-filters.ts';

export const savedFilterWebOperations: readonly AnyOperation[] = [
  listSavedFilters,
  getSavedFilter,
  saveFilter,
  renameSavedFilter,
  replaceSavedFilter,
  deleteSavedFilter,
];
