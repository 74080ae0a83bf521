import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { listProjectColumns } from './project-columns.ts';
import { getProject, listProjectMembers, listProjects } from './projects.ts';

export const projectRoutes: readonly Route[] = [
  defineRoute('GET', '/projects', listProjects),
  defineRoute('GET', '/projects/:id', getProject),
  defineRoute('GET', '/projects/:id/members', listProjectMembers),
  defineRoute('GET', '/projects/:id/statuses', listProjectColumns),
];
