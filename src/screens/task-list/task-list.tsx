import * as z from 'zod';
import { FOUND_COUNTED, listTaskRows } from '../../dashboard/tracked-time.ts';
import { civilDate, integerId } from '../../kernel/schema.ts';
import { listProjectChoices } from '../../lookup/choices.ts';
import { getProject } from '../../projects/projects.ts';
import { listTaskStatuses } from '../../reference/statuses.ts';
import { getUser, listUsers } from '../../reference/users.ts';
import { OPEN, taskPriorities, taskSorts, taskStatuses } from '../../task-model/tasks.schema.ts';
import { page } from '../../web/page-model/page.ts';
import { editableNames } from './cells.view.tsx';
import { columnNames } from './columns.tsx';
import { TaskListView } from './task-list.view.tsx';

const TASKS_SHOWN = 50;
const CHOICES_OFFERED = 100;

export const taskListParams = z.object({
  q: z.string().max(200).optional(),
  project: integerId.optional(),
  status: z.enum([...taskStatuses, OPEN]).optional(),
  priority: z.enum(taskPriorities).optional(),
  assignee: z.string().max(100).optional(),
  /** First and last deadline. */
  from: civilDate.optional(),
  to: civilDate.optional(),
  sort: z.enum(taskSorts).optional(),
  archived: z.enum(['true']).optional(),
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
  people: listUsers,
  projects: listProjectChoices,
};

/** What is filtered by may be further down than its list goes. */
export const taskListMaybe = { chosen: getUser, chosenProject: getProject };

/** What the address asks of the list of tasks. */
export function tasksAsked(params: TaskListParams) {
  const { q, project, status, priority, assignee, from, to, sort, archived, cols } = params;
  return {
    scope: 'all' as const,
    withTracked: cols?.includes('tracked') ?? false,
    isArchived: archived === 'true',
    ...(q && { search: q }),
    ...(project !== undefined && { projectId: project }),
    ...(status && { status: [status] }),
    ...(priority && { priority: [priority] }),
    ...(assignee && { assigneeId: [assignee] }),
    ...(from && { dueFrom: from }),
    ...(to && { dueTo: to }),
    ...(sort && { sort }),
  };
}

export const taskListPage = page({
  name: 'taskList',
  path: '/tasks',
  title: () => 'All tasks',
  params: taskListParams,
  reads: taskListReads,
  maybe: taskListMaybe,
  inputs: (params) => ({
    tasks: {
      ...tasksAsked(params),
      limit: TASKS_SHOWN,
      offset: params.offset,
      ...(params.q && { countUpTo: FOUND_COUNTED }),
    },
    statuses: {},
    people: { limit: CHOICES_OFFERED },
    projects: {},
    chosen: params.assignee?.startsWith('usr_') ? { id: params.assignee } : null,
    chosenProject: params.project === undefined ? null : { id: params.project },
  }),
  view: TaskListView,
  script: 'list',
});
