import * as z from 'zod';
import { listTrash } from '../../../tasks/trash/list-trash.ts';
import { restoreTask } from '../../../tasks/trash/restore-task.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { TrashView } from './trash.view.tsx';

const TASKS_SHOWN_MAX = 50;

export const trashParams = z.object({ offset: z.int().min(0).default(0) });
export const trashReads = { trash: listTrash };

export const trashPage = definePage({
  name: 'trash',
  path: '/trash',
  title: () => 'Trash',
  params: trashParams,
  reads: trashReads,
  inputs: ({ offset }) => ({ trash: { limit: TASKS_SHOWN_MAX, offset } }),
  view: TrashView,
  script: 'saves',
});

export const restoreDeletedTaskForm = defineForm({
  name: 'restoreDeletedTask',
  path: '/trash/:id/restore',
  operation: restoreTask,
  flash: ({ output: { name } }) => ({ text: `Restored: ${name}` }),
});
