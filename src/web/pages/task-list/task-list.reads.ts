import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listPeopleChoices, listProjectChoices } from '../../../search/lookup/choices.ts';
import { listFieldChoices } from '../../../tasks/custom-fields/list-custom-fields.ts';
import { listLabelChoices } from '../../../tasks/labels/labels.ts';
import { namePeople } from '../../../tasks/mentions/mentionable.ts';
import { getTask } from '../../../tasks/operations/tasks.ts';
import { getSavedFilter } from '../../../tasks/saved-filters/saved-filters.ts';
import { getSortOrder, taskFilter, toTaskListFilter } from '../../../tasks/saved-filters/task-filter.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import type { InputContext } from '../../page-model/page.ts';
import { isColumnName, isFieldColumn } from './columns.tsx';
import { editableColumnNames } from './editable-cells.view.tsx';

export const taskListParams = taskFilter.extend({
  filter: integerId.optional(),
  cols: z.array(z.string().refine(isColumnName)).optional(),
  edit: integerId.optional(),
  field: z.enum(editableColumnNames).optional(),
  offset: z.int().min(0).default(0),
});
export type TaskListParams = z.output<typeof taskListParams>;

export const taskListReads = {
  tasks: listTaskRows,
  statuses: listStatusesInProject,
  people: listPeopleChoices,
  projects: listProjectChoices,
  fields: listFieldChoices,
};

/** The lists of people and projects are limited, so the selected items are read separately. */
export const taskListOptionalReads = {
  chosen: namePeople,
  chosenProject: getProject,
  chosenParent: getTask,
  saved: getSavedFilter,
  labels: listLabelChoices,
};

/** There are no counters for text matches and due dates, so the matching tasks are counted only up to a limit. */
export function isCountLimited({ q, due, from, to }: TaskListParams): boolean {
  return Boolean(q || due || from || to);
}

export function buildTaskQuery({ cols, ...filter }: TaskListParams, { today }: Pick<InputContext, 'today'>) {
  return {
    ...toTaskListFilter(filter, today),
    searchesDetails: true,
    withTracked: cols?.includes('tracked') ?? false,
    withRepeat: cols?.includes('repeat') ?? false,
    withFields: cols?.some(isFieldColumn) ?? false,
    sort: getSortOrder(filter),
  };
}
