import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { createTask } from '../../../tasks/operations/tasks.ts';
import {
  addTemplateTask,
  deleteTemplateTask,
  updateTemplateTask,
} from '../../../templates/operations/edit-tasks.ts';
import { createProjectFromTemplate } from '../../../templates/operations/new-project.ts';
import { saveProjectTemplate, saveTaskTemplate } from '../../../templates/operations/save-template.ts';
import {
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from '../../../templates/operations/templates.ts';
import { parseTags, TAGS_FIELD } from '../../components/tags-field.tsx';
import { defineForm, definePage } from '../../page-model/page.ts';
import { parseFormInput } from '../../server/form-input.ts';
import { TemplateView } from './template.view.tsx';
import { CHECKLIST_FIELD } from './template-tasks.view.tsx';
import { TemplatesView } from './templates.view.tsx';

const TEMPLATES_SHOWN_MAX = 100;

export const templatesParams = z.object({});
export const templatesReads = { templates: listTemplates };

export const templatesPage = definePage({
  name: 'templates',
  path: '/templates',
  title: () => 'Templates',
  params: templatesParams,
  reads: templatesReads,
  inputs: () => ({ templates: { limit: TEMPLATES_SHOWN_MAX } }),
  view: TemplatesView,
});

export const templateParams = z.object({ template: integerId, project: integerId.optional() });
export const templateReads = { template: getTemplate, projects: listProjectChoices };

export const templatePage = definePage({
  name: 'template',
  path: '/templates/:template',
  title: ({ answers }) => answers.template.name,
  params: templateParams,
  reads: templateReads,
  inputs: ({ template }) => ({ template: { id: template }, projects: {} }),
  view: TemplateView,
});

export const saveTaskTemplateForm = defineForm({
  name: 'saveTaskTemplate',
  path: '/tasks/:id/template',
  operation: saveTaskTemplate,
  redirectTo: ({ id }, { base }) => `${base}/templates/${id}`,
  flash: () => ({ text: 'Template saved' }),
});
export const saveProjectTemplateForm = defineForm({
  name: 'saveProjectTemplate',
  path: '/projects/:id/template',
  operation: saveProjectTemplate,
  redirectTo: ({ id }, { base }) => `${base}/templates/${id}`,
  flash: () => ({ text: 'Template saved' }),
});
export const updateTemplateForm = defineForm({
  name: 'changeTemplate',
  path: '/templates/:id',
  operation: updateTemplate,
  multiline: ['description'],
  flash: () => ({ text: 'Template saved' }),
});
export const deleteTemplateForm = defineForm({
  name: 'removeTemplate',
  path: '/templates/:id/remove',
  operation: deleteTemplate,
  redirectTo: (_done, { base }) => `${base}/templates`,
  removal: 'asked',
  flash: () => ({ text: 'Template deleted' }),
});
export const addTemplateTaskForm = defineForm({
  name: 'addTemplateTask',
  path: '/templates/:id/items',
  operation: addTemplateTask,
});
export const updateTemplateTaskForm = defineForm({
  name: 'changeTemplateTask',
  path: '/templates/:id/items/:itemId',
  operation: updateTemplateTask,
  multiline: [CHECKLIST_FIELD],
  toInput: (fields) => {
    const separatelyParsedFields = [CHECKLIST_FIELD, TAGS_FIELD];
    const others = new URLSearchParams(
      [...fields].filter(([name]) => !separatelyParsedFields.includes(name)),
    );
    const lines = (fields.get(CHECKLIST_FIELD) ?? '').split('\n').map((line) => line.trim());
    return {
      ...parseFormInput(others, updateTemplateTask.input),
      tags: parseTags(fields.get(TAGS_FIELD)),
      checklist: lines.filter((line) => line !== ''),
    };
  },
  flash: () => ({ text: 'Task saved' }),
});
export const deleteTemplateTaskForm = defineForm({
  name: 'removeTemplateTask',
  path: '/templates/:id/items/:itemId/remove',
  operation: deleteTemplateTask,
  toInput: () => ({}),
  removal: 'asked',
  flash: () => ({ text: 'Task deleted' }),
});
export const createTaskFromTemplateForm = defineForm({
  name: 'createTaskFromTemplate',
  path: '/templates/:templateId/tasks',
  operation: createTask,
  redirectTo: ({ id }, { base }) => `${base}/tasks/${id}`,
});
export const createProjectFromTemplateForm = defineForm({
  name: 'createProjectFromTemplate',
  path: '/templates/:templateId/projects',
  operation: createProjectFromTemplate,
  redirectTo: ({ id }, { base }) => `${base}/projects/${id}`,
});
