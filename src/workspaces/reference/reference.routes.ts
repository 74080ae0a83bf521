import { type Route, route } from '../../kernel/http/route.ts';
import { getTaskCategory, listTaskCategories } from './categories.ts';
import { getProjectStatus, getTaskStatus, listProjectStatuses, listTaskStatuses } from './statuses.ts';
import { listTeams } from './teams.ts';
import { getTaskType, listTaskTypes } from './types.ts';
import { getUser, listUsers } from './users.ts';

export const referenceRoutes: readonly Route[] = [
  route('GET', '/task-statuses', listTaskStatuses),
  route('GET', '/task-statuses/:id', getTaskStatus),
  route('GET', '/project-statuses', listProjectStatuses),
  route('GET', '/project-statuses/:id', getProjectStatus),
  route('GET', '/task-categories', listTaskCategories),
  route('GET', '/task-categories/:id', getTaskCategory),
  route('GET', '/task-types', listTaskTypes),
  route('GET', '/task-types/:id', getTaskType),
  route('GET', '/users', listUsers),
  route('GET', '/users/:id', getUser),
  route('GET', '/teams', listTeams),
];
