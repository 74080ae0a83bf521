import * as z from 'zod';
import { listProjectDeletions } from '../../../projects/deletion/delete-project.ts';
import { listProjectOverviews } from '../../../projects/operations/overview.ts';
import { projectScopes } from '../../../projects/operations/projects.schema.ts';
import { listProjectStatuses, listTaskStatuses } from '../../../workspaces/reference/statuses.ts';
import { definePage } from '../../page-model/page.ts';
import { ProjectsView } from './projects.view.tsx';

const PROJECTS_SHOWN_MAX = 100;

export const projectsParams = z.object({
  show: z.enum(['all']).optional(),
  scope: z.enum(projectScopes).default('all'),
  q: z.string().max(200).optional(),
  offset: z.int().min(0).default(0),
});

export const projectsReads = {
  projects: listProjectOverviews,
  statuses: listProjectStatuses,
  taskStatuses: listTaskStatuses,
};

/** People who can delete projects also see projects that are still being deleted. */
export const projectsOptionalReads = { deletions: listProjectDeletions };

export const projectsPage = definePage({
  name: 'projects',
  path: '/projects',
  title: () => 'Projects',
  params: projectsParams,
  reads: projectsReads,
  optionalReads: projectsOptionalReads,
  inputs: ({ scope, offset, show, q }) => ({
    projects: {
      limit: PROJECTS_SHOWN_MAX,
      offset,
      scope,
      ended: show === 'all',
      ...(q?.trim() && { search: q }),
    },
    statuses: {},
    taskStatuses: {},
    deletions: {},
  }),
  view: ProjectsView,
});
