import * as z from 'zod';
import { lookUpSimilar } from '../../../search/lookup/lookup.ts';
import { SuggestionsPage, toPersonSuggestion } from '../../components/name-suggestions.tsx';
import { definePage } from '../../page-model/page.ts';

export const findPeoplePage = definePage({
  name: 'findPeople',
  path: '/people/find',
  title: () => 'Find people',
  params: z.object({ q: z.string().max(200).default('') }),
  reads: {},
  optionalReads: { found: lookUpSimilar },
  inputs: ({ q }) => ({ found: q.trim() === '' ? null : { people: [q.trim()], projects: [] } }),
  view: ({ params: { q }, answers: { found } }) => (
    <SuggestionsPage
      title="Find people"
      path="/people/find"
      label="Name or email address"
      q={q}
      items={(found?.people ?? []).map(toPersonSuggestion)}
    />
  ),
});
