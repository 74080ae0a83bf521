import * as z from 'zod';
import { projectScopes } from '../../projects/projects.schema.ts';
import { listProjects } from '../../projects/projects.ts';
import { listProjectStatuses } from '../../reference/statuses.ts';
import { page } from '../../web/page-model/page.ts';
import { ProjectsView } from './projects.view.tsx';

const PROJECTS_SHOWN = 100;

export const projectsParams = z.object({
  /** `all` shows finished and cancelled projects too. */
  show: z.enum(['all']).optional(),
  scope: z.enum(projectScopes).default('all'),
  offset: z.int().min(0).default(0),
});

export const projectsReads = { projects: listProjects, statuses: listProjectStatuses };

export const projectsPage = page({
  name: 'projects',
  path: '/projects',
  title: () => 'Projects',
  params: projectsParams,
  reads: projectsReads,
  inputs: ({ scope, offset }) => ({
    projects: { limit: PROJECTS_SHOWN, offset, scope, expand: ['members' as const] },
    statuses: {},
  }),
  view: ProjectsView,
});
