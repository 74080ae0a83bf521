import { type Route, route } from '../../kernel/http/route.ts';
import { getProject, listProjectMembers, listProjects } from './projects.ts';

export const projectRoutes: readonly Route[] = [
  route('GET', '/projects', listProjects),
  route('GET', '/projects/:id', getProject),
  route('GET', '/projects/:id/members', listProjectMembers),
];
