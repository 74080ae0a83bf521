import * as z from 'zod';
import { listPeopleChoices } from '../../../search/lookup/choices.ts';
import { lookUpSimilar } from '../../../search/lookup/lookup.ts';
import { SuggestionsPage, toPersonSuggestion } from '../../components/name-suggestions.tsx';
import { definePage } from '../../page-model/page.ts';

export const findPeoplePage = definePage({
  name: 'findPeople',
  path: '/people/find',
  title: () => 'Find people',
  params: z.object({ q: z.string().max(200).default('') }),
  reads: {},
  optionalReads: { found: lookUpSimilar, first: listPeopleChoices },
  inputs: ({ q }) => (q.trim() === '' ? { first: {} } : { found: { people: [q.trim()], projects: [] } }),
  view: ({ params: { q }, answers: { found, first } }) => (
    <SuggestionsPage
      title="Find people"
      path="/people/find"
      label="Name or email address"
      q={q}
      items={
        first?.data.map(({ id, name }) => ({ id, name, note: '', value: name })) ??
        (found?.people ?? []).map(toPersonSuggestion)
      }
      withAvatars
    />
  ),
});
