import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { moveTask } from '../../../tasks/moving/move-task.ts';
import { getTask } from '../../../tasks/operations/tasks.ts';
import { deleteTask } from '../../../tasks/trash/delete-task.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { buildUndoableMessage, undoMovesForm } from '../task-list/undo-form.ts';
import { MoveTaskToProjectView } from './move.view.tsx';

export const moveParams = z.object({ task: integerId });
export const moveReads = { task: getTask, projects: listProjectChoices };

export const moveTaskToProjectPage = definePage({
  name: 'taskProject',
  path: '/tasks/:task/project',
  title: ({ answers }) => `Move · ${answers.task.name}`,
  params: moveParams,
  reads: moveReads,
  inputs: ({ task }) => ({ task: { id: task, expand: ['structure' as const] }, projects: {} }),
  view: MoveTaskToProjectView,
  script: 'task',
});

export const moveToProjectForm = defineForm({
  name: 'moveToProject',
  path: '/tasks/:id/project',
  operation: moveTask,
  redirectTo: ({ id }, { base }) => `${base}/tasks/${id}`,
  removal: 'undone',
  flash: ({ output: { id, project }, now }) =>
    buildUndoableMessage(`Moved to ${project.name}`, [id], now, undoMovesForm),
});

export const deleteTaskForm = defineForm({
  name: 'deleteTask',
  path: '/tasks/:id/delete',
  operation: deleteTask,
  toInput: () => ({}),
  // A deleted task has no page. In the task panel, `back` is the screen next to the panel.
  redirectTo: (_done, { input, fields, back, base }) => {
    if (back.split('?')[0] !== `${base}/tasks/${input.id}`) return back;
    const project = Number(fields.get('from'));
    return project > 0 ? `${base}/projects/${project}` : `${base}/projects`;
  },
  removal: 'undone',
  flash: ({ input: { id } }) => ({
    text: 'Moved to the trash',
    undo: { path: `/trash/${id}/restore`, fields: {} },
  }),
});
