import * as z from 'zod';
import { FOUND_COUNTED } from '../../count-so-far/count-so-far.ts';
import { integerId } from '../../kernel/schema.ts';
import { listPeopleChoices, listProjectChoices } from '../../lookup/choices.ts';
import { getProject } from '../../projects/projects.ts';
import { listTaskStatuses } from '../../reference/statuses.ts';
import { getUser } from '../../reference/users.ts';
import { getSavedFilter } from '../../saved-filters/saved-filters.ts';
import { orderOf, personIn, taskFilter, taskFilterNames, tasksOf } from '../../saved-filters/task-filter.ts';
import { listTaskRows } from '../../team-time/team-time.ts';
import { datesInOrder } from '../../web/page-model/dates-in-order.ts';
import { type Asking, page } from '../../web/page-model/page.ts';
import { unknownPerson, unknownProject } from '../../web/page-model/unknown-filters.ts';
import { editableNames } from './cells.view.tsx';
import { columnNames } from './columns.tsx';
import { TaskListView } from './task-list.view.tsx';

const TASKS_SHOWN = 50;

export const taskListParams = taskFilter.extend({
  /** The saved filter that led here. */
  filter: integerId.optional(),
  /** The columns beside the name. */
  cols: z.array(z.enum(columnNames)).optional(),
  /** The task and the field of the cell that is being changed. */
  edit: integerId.optional(),
  field: z.enum(editableNames).optional(),
  offset: z.int().min(0).default(0),
});
export type TaskListParams = z.output<typeof taskListParams>;

export const taskListReads = {
  tasks: listTaskRows,
  statuses: listTaskStatuses,
  people: listPeopleChoices,
  projects: listProjectChoices,
};

/** What is filtered by may be further down than its list goes. */
export const taskListMaybe = { chosen: getUser, chosenProject: getProject, saved: getSavedFilter };

/** No counter tells what a text finds, or what is due; of that the page counts only the beginning. */
export function isCountedSoFar({ q, due, from, to }: TaskListParams): boolean {
  return Boolean(q || due || from || to);
}

/** What the address asks of the list of tasks. */
export function tasksAsked({ cols, ...filter }: TaskListParams, { today }: Pick<Asking, 'today'>) {
  return {
    ...tasksOf(filter, today),
    withTracked: cols?.includes('tracked') ?? false,
    sort: orderOf(filter),
  };
}

export const taskListPage = page({
  name: 'taskList',
  path: '/tasks',
  title: () => 'All tasks',
  params: taskListParams,
  problems: datesInOrder,
  filters: taskFilterNames,
  unknown: { chosen: unknownPerson, chosenProject: unknownProject },
  reads: taskListReads,
  maybe: taskListMaybe,
  inputs: (params, asking) => ({
    tasks: {
      ...tasksAsked(params, asking),
      limit: TASKS_SHOWN,
      offset: params.offset,
      ...(isCountedSoFar(params) && { countUpTo: FOUND_COUNTED }),
    },
    statuses: {},
    people: {},
    projects: {},
    chosen: personIn(params),
    chosenProject: params.project === undefined ? null : { id: params.project },
    saved: params.filter === undefined ? null : { id: params.filter },
  }),
  view: TaskListView,
  script: 'list',
});
