import * as z from 'zod';
import { civilDate, integerId } from '../../../kernel/operation/schema.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { listCategoriesAndTypes } from '../../../tasks/categories/change-categories.ts';
import { NAME_CHARACTERS_MAX } from '../../../tasks/fields.ts';
import { listLabelChoices } from '../../../tasks/labels/labels.ts';
import { taskPriorities, taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import { createTask } from '../../../tasks/operations/tasks.ts';
import { listTemplates } from '../../../templates/operations/templates.ts';
import { getUser, listUsers } from '../../../workspaces/reference/users.ts';
import { CATEGORY_FIELD, parseCategoryAndType } from '../../components/category-select.tsx';
import { parseTags, TAGS_FIELD } from '../../components/tags-field.tsx';
import { TEMPLATES_SUGGESTED_MAX } from '../../components/template-links.tsx';
import { defineForm, definePage } from '../../page-model/page.ts';
import { parseFormInput } from '../../server/form-input.ts';
import { OTHER_ASSIGNEES_FIELD, parseAssigneeInput } from './assignee-fields.ts';
import { NewTaskView } from './new-task.view.tsx';

const PEOPLE_SUGGESTED_MAX = 100;
const SELF_ASSIGNEE = 'me';

export const newTaskParams = z.object({
  project: integerId.optional(),
  name: z.string().max(NAME_CHARACTERS_MAX).optional(),
  status: z.enum(taskStatuses).optional(),
  priority: z.enum(taskPriorities).optional(),
  assignee: z.string().max(100).optional(),
  deadline: civilDate.optional(),
  parent: integerId.optional(),
});
export const newTaskReads = {
  projects: listProjectChoices,
  statuses: listStatusesInProject,
  people: listUsers,
  kinds: listCategoriesAndTypes,
  templates: listTemplates,
};
/** Lists of choices are limited, so the selected project and person are read separately. */
export const newTaskOptionalReads = {
  selectedProject: getProject,
  selectedPerson: getUser,
  labels: listLabelChoices,
};

export const newTaskPage = definePage({
  name: 'newTask',
  path: '/tasks/new',
  title: () => 'New task',
  params: newTaskParams,
  reads: newTaskReads,
  optionalReads: newTaskOptionalReads,
  inputs: ({ project, assignee }, { me }) => ({
    projects: {},
    statuses: { projectId: project },
    people: { limit: PEOPLE_SUGGESTED_MAX },
    kinds: {},
    templates: { kind: 'task' as const, limit: TEMPLATES_SUGGESTED_MAX },
    selectedProject: project === undefined ? null : { id: project },
    labels: { withNames: true },
    selectedPerson: assignee === undefined ? null : { id: assignee === SELF_ASSIGNEE ? me : assignee },
  }),
  view: NewTaskView,
  script: 'task',
});

const separatelyParsedFields = ['assigneeId', OTHER_ASSIGNEES_FIELD, CATEGORY_FIELD, TAGS_FIELD];

export const createTaskForm = defineForm({
  name: 'createTask',
  path: '/tasks/new',
  operation: createTask,
  multiline: ['description'],
  toInput: (fields) => {
    const others = new URLSearchParams(
      [...fields].filter(([name]) => !separatelyParsedFields.includes(name)),
    );
    return {
      ...parseFormInput(others, createTask.input),
      ...parseAssigneeInput(fields),
      ...parseCategoryAndType(fields.get(CATEGORY_FIELD)),
      tags: parseTags(fields.get(TAGS_FIELD)),
    };
  },
  redirectTo: ({ id }, { base }) => `${base}/tasks/${id}`,
});
