import * as z from 'zod';
import { listCategoriesAndTypes } from '../../categories/change-categories.ts';
import { integerId } from '../../kernel/schema.ts';
import { setTaskCategory } from '../../tasks/category.ts';
import { getTask } from '../../tasks/tasks.ts';
import { KIND, readKind } from '../../web/components/kinds.tsx';
import { form, page } from '../../web/page-model/page.ts';
import { CategoryView } from './category.view.tsx';

export const categoryParams = z.object({ task: integerId });
export const categoryReads = { task: getTask, kinds: listCategoriesAndTypes };

export const taskCategoryPage = page({
  name: 'taskCategory',
  path: '/tasks/:task/category',
  title: ({ answers }) => `Category of ${answers.task.name}`,
  params: categoryParams,
  reads: categoryReads,
  inputs: ({ task }) => ({ task: { id: task }, kinds: {} }),
  view: CategoryView,
});

export const categorizeTask = form({
  name: 'categorizeTask',
  path: '/tasks/:id/category',
  operation: setTaskCategory,
  toInput: (fields) => readKind(fields.get(KIND)),
  goesOn: (_, { input, base }) => `${base}/tasks/${input.id}`,
});
