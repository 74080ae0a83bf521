import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { addTemplateTask, deleteTemplateTask, updateTemplateTask } from './edit-tasks.ts';
import { createProjectFromTemplate } from './new-project.ts';
import { saveProjectTemplate, saveTaskTemplate } from './save-template.ts';
import { deleteTemplate, getTemplate, updateTemplate } from './templates.ts';

export const templateWebOperations: readonly AnyOperation[] = [
  getTemplate,
  saveTaskTemplate,
  saveProjectTemplate,
  updateTemplate,
  deleteTemplate,
  addTemplateTask,
  updateTemplateTask,
  deleteTemplateTask,
  createProjectFromTemplate,
];
