import * as z from 'zod';
import { civilDate, integerId } from '../../kernel/schema.ts';
import { listProjects } from '../../projects/projects.ts';
import { listTaskStatuses } from '../../reference/statuses.ts';
import { listUsers } from '../../reference/users.ts';
import { OPEN, taskPriorities, taskSorts, taskStatuses } from '../../task-model/tasks.schema.ts';
import { listTasks } from '../../tasks/list.ts';
import { page } from '../../web/page-model/page.ts';
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
  offset: z.int().min(0).default(0),
});

export const taskListReads = {
  tasks: listTasks,
  statuses: listTaskStatuses,
  people: listUsers,
  projects: listProjects,
};

export const taskListPage = page({
  name: 'taskList',
  path: '/tasks',
  title: () => 'All tasks',
  params: taskListParams,
  reads: taskListReads,
  inputs: ({ q, project, status, priority, assignee, from, to, sort, archived, offset }) => ({
    tasks: {
      scope: 'all' as const,
      limit: TASKS_SHOWN,
      offset,
      isArchived: archived === 'true',
      ...(q && { search: q }),
      ...(project !== undefined && { projectId: project }),
      ...(status && { status: [status] }),
      ...(priority && { priority: [priority] }),
      ...(assignee && { assigneeId: [assignee] }),
      ...(from && { dueFrom: from }),
      ...(to && { dueTo: to }),
      ...(sort && { sort }),
    },
    statuses: {},
    people: { limit: CHOICES_OFFERED },
    projects: { limit: CHOICES_OFFERED },
  }),
  view: TaskListView,
});
