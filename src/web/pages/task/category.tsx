import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listCategoriesAndTypes } from '../../../tasks/categories/change-categories.ts';
import { setTaskCategory } from '../../../tasks/operations/category.ts';
import { getTask } from '../../../tasks/operations/tasks.ts';
import { CATEGORY_FIELD, parseCategoryAndType } from '../../components/category-select.tsx';
import { defineForm, definePage } from '../../page-model/page.ts';
import { CategoryView } from './category.view.tsx';

export const categoryParams = z.object({ task: integerId });
export const categoryReads = { task: getTask, kinds: listCategoriesAndTypes };

export const taskCategoryPage = definePage({
  name: 'taskCategory',
  path: '/tasks/:task/category',
  title: ({ answers }) => `Category of ${answers.task.name}`,
  params: categoryParams,
  reads: categoryReads,
  inputs: ({ task }) => ({ task: { id: task }, kinds: {} }),
  view: CategoryView,
});

export const categorizeTaskForm = defineForm({
  name: 'categorizeTask',
  path: '/tasks/:id/category',
  operation: setTaskCategory,
  toInput: (fields) => parseCategoryAndType(fields.get(CATEGORY_FIELD)),
  redirectTo: (_, { input, base }) => `${base}/tasks/${input.id}`,
});
