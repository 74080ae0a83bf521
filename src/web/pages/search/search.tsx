import * as z from 'zod';
import { BOUNDED_COUNT_MAX } from '../../../kernel/lists/bounded-count.ts';
import { findNames } from '../../../projects/operations/overview.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import { listTaskStatuses } from '../../../workspaces/reference/statuses.ts';
import { definePage } from '../../page-model/page.ts';
import { SearchView } from './search.view.tsx';

const TASKS_SHOWN_MAX = 20;
const TASK_NUMBER_PATTERN = /^#?(\d{1,15})$/;

export const searchParams = z.object({ q: z.string().max(200).optional() });
export const searchReads = { statuses: listTaskStatuses };
export const searchOptionalReads = { tasks: listTaskRows, numbered: listTaskRows, names: findNames };

export const searchPage = definePage({
  name: 'search',
  path: '/search',
  title: ({ params }) => (params.q ? `Search: ${params.q}` : 'Search'),
  params: searchParams,
  reads: searchReads,
  optionalReads: searchOptionalReads,
  inputs: ({ q }) => ({
    statuses: {},
    tasks: q?.trim()
      ? {
          search: q,
          searchesDetails: true,
          scope: 'all' as const,
          limit: TASKS_SHOWN_MAX,
          countUpTo: BOUNDED_COUNT_MAX,
        }
      : null,
    numbered: buildNumberSearch(q),
    names: q?.trim() ? { search: q } : null,
  }),
  view: SearchView,
  script: 'search',
  hasTaskPanel: true,
});

function buildNumberSearch(q = '') {
  const number = Number(TASK_NUMBER_PATTERN.exec(q.trim())?.[1]);
  return number > 0 ? { ids: [number], scope: 'all' as const, countUpTo: 1 } : null;
}
