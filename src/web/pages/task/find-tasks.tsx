import * as z from 'zod';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import { SuggestionsPage, toNumberedSuggestion } from '../../components/name-suggestions.tsx';
import { toTaskSearch } from '../../components/task-search.ts';
import { definePage } from '../../page-model/page.ts';

const TASKS_SHOWN_MAX = 8;

export const findTasksPage = definePage({
  name: 'findTasks',
  path: '/tasks/find',
  title: () => 'Find tasks',
  params: z.object({ q: z.string().max(200).default('') }),
  reads: {},
  optionalReads: { found: listTaskRows },
  inputs: ({ q }) => {
    const text = q.trim();
    if (text === '') return { found: null };
    return { found: { ...toTaskSearch(text), limit: TASKS_SHOWN_MAX, countUpTo: TASKS_SHOWN_MAX } };
  },
  view: ({ params: { q }, answers: { found } }) => (
    <SuggestionsPage
      title="Find tasks"
      path="/tasks/find"
      label="Name or number"
      q={q}
      items={(found?.data ?? []).map(toNumberedSuggestion)}
    />
  ),
});
