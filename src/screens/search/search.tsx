import * as z from 'zod';
import { listProjects } from '../../projects/projects.ts';
import { listTaskStatuses } from '../../reference/statuses.ts';
import { listUsers } from '../../reference/users.ts';
import { listTasks } from '../../tasks/list.ts';
import { page } from '../../web/page-model/page.ts';
import { SearchView } from './search.view.tsx';

const TASKS_SHOWN = 20;
const LOOKED_THROUGH = 100;

export const searchParams = z.object({ q: z.string().max(200).optional() });
export const searchReads = { statuses: listTaskStatuses };
export const searchMaybe = { tasks: listTasks, projects: listProjects, people: listUsers };

export const searchPage = page({
  name: 'search',
  path: '/search',
  title: ({ params }) => (params.q ? `Search: ${params.q}` : 'Search'),
  params: searchParams,
  reads: searchReads,
  maybe: searchMaybe,
  inputs: ({ q }) => ({
    statuses: {},
    tasks: q ? { search: q, scope: 'all' as const, limit: TASKS_SHOWN } : null,
    projects: q ? { limit: LOOKED_THROUGH } : null,
    people: q ? { limit: LOOKED_THROUGH } : null,
  }),
  view: SearchView,
});
