import * as z from 'zod';
import { lookUpSimilar } from '../../../search/lookup/lookup.ts';
import { SuggestionsPage, toNumberedSuggestion } from '../../components/name-suggestions.tsx';
import { definePage } from '../../page-model/page.ts';

export const findProjectsPage = definePage({
  name: 'findProjects',
  path: '/projects/find',
  title: () => 'Find projects',
  params: z.object({ q: z.string().max(200).default('') }),
  reads: {},
  optionalReads: { found: lookUpSimilar },
  inputs: ({ q }) => ({ found: q.trim() === '' ? null : { people: [], projects: [q.trim()] } }),
  view: ({ params: { q }, answers: { found } }) => (
    <SuggestionsPage
      title="Find projects"
      path="/projects/find"
      label="Name"
      q={q}
      items={(found?.projects ?? []).map(toNumberedSuggestion)}
    />
  ),
});
