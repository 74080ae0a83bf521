import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { getTaskCategory, listTaskCategories } from './categories.ts';
import { getProjectStatus, getTaskStatus, listProjectStatuses, listTaskStatuses } from './statuses.ts';
import { listTeams } from './teams.ts';
import { getTaskType, listTaskTypes } from './types.ts';
import { getUser, listUsers } from './users.ts';

export const referenceRoutes: readonly Route[] = [
  defineRoute('GET', '/task-statuses', listTaskStatuses),
  defineRoute('GET', '/task-statuses/:id', getTaskStatus),
  defineRoute('GET', '/project-statuses', listProjectStatuses),
  defineRoute('GET', '/project-statuses/:id', getProjectStatus),
  defineRoute('GET', '/task-categories', listTaskCategories),
  defineRoute('GET', '/task-categories/:id', getTaskCategory),
  defineRoute('GET', '/task-types', listTaskTypes),
  defineRoute('GET', '/task-types/:id', getTaskType),
  defineRoute('GET', '/users', listUsers),
  defineRoute('GET', '/users/:id', getUser),
  defineRoute('GET', '/teams', listTeams),
];
