import * as z from 'zod';
import {
  createCategory,
  createType,
  listCategoriesAndTypes,
  updateCategory,
  updateType,
} from '../../../tasks/categories/change-categories.ts';
import { type FlashMessage, form, page } from '../../page-model/page.ts';
import { CategoriesView } from './categories.view.tsx';

export const categoriesParams = z.object({});
export const categoriesReads = { tree: listCategoriesAndTypes };

export const categoriesPage = page({
  name: 'categories',
  path: '/categories',
  title: () => 'Categories',
  params: categoriesParams,
  reads: categoriesReads,
  inputs: () => ({ tree: {} }),
  view: CategoriesView,
});

export const newCategory = form({ name: 'newCategory', path: '/categories', operation: createCategory });
export const changeCategory = form({
  name: 'changeCategory',
  path: '/categories/:id',
  operation: updateCategory,
  flash: ({ input, fields }) => toFlashMessage('Category', `/categories/${input.id}`, fields),
});
export const newType = form({
  name: 'newType',
  path: '/categories/:categoryId/types',
  operation: createType,
});
export const changeType = form({
  name: 'changeType',
  path: '/types/:id',
  operation: updateType,
  flash: ({ input, fields }) => toFlashMessage('Type', `/types/${input.id}`, fields),
});

function toFlashMessage(noun: string, path: string, fields: URLSearchParams): FlashMessage {
  if (fields.get('isActive') !== 'false') return { text: `${noun} saved` };
  return { text: `${noun} retired`, undo: { path, fields: { isActive: 'true' } } };
}
