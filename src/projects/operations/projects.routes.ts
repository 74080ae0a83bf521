import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { getProject, listProjectMembers, listProjects } from './projects.ts';

export const projectRoutes: readonly Route[] = [
  defineRoute('GET', '/projects', listProjects),
  defineRoute('GET', '/projects/:id', getProject),
  defineRoute('GET', '/projects/:id/members', listProjectMembers),
];
