import * as z from 'zod';
import {
  createCategory,
  createType,
  listCategoriesAndTypes,
  updateCategory,
  updateType,
} from '../../../tasks/categories/change-categories.ts';
import { defineForm, definePage, type FlashMessage } from '../../page-model/page.ts';
import { CategoriesView } from './categories.view.tsx';

export const categoriesParams = z.object({});
export const categoriesReads = { tree: listCategoriesAndTypes };

export const categoriesPage = definePage({
  name: 'categories',
  path: '/categories',
  title: () => 'Categories and types',
  params: categoriesParams,
  reads: categoriesReads,
  inputs: () => ({ tree: {} }),
  view: CategoriesView,
});

export const createCategoryForm = defineForm({
  name: 'newCategory',
  path: '/categories',
  operation: createCategory,
});
export const updateCategoryForm = defineForm({
  name: 'changeCategory',
  path: '/categories/:id',
  operation: updateCategory,
  flash: ({ input, fields }) => buildCategoryMessage('Category', `/categories/${input.id}`, fields),
});
export const createTypeForm = defineForm({
  name: 'newType',
  path: '/categories/:categoryId/types',
  operation: createType,
});
export const updateTypeForm = defineForm({
  name: 'changeType',
  path: '/types/:id',
  operation: updateType,
  flash: ({ input, fields }) => buildCategoryMessage('Type', `/types/${input.id}`, fields),
});

function buildCategoryMessage(noun: string, path: string, fields: URLSearchParams): FlashMessage {
  if (fields.get('isActive') !== 'false') return { text: `${noun} saved` };
  return { text: `${noun} retired`, undo: { path, fields: { isActive: 'true' } } };
}
