import type { AnyOperation } from '../../kernel/operation/operation.ts';
import {
  createCategory,
  createType,
  listCategoriesAndTypes,
  updateCategory,
  updateType,
} from './change-categories.ts';

export const categoryWebOperations: readonly AnyOperation[] = [
  listCategoriesAndTypes,
  createCategory,
  updateCategory,
  createType,
  updateType,
];
