import * as z from 'zod';
import { lookUpSimilar } from '../../lookup/lookup.ts';
import { PeopleFound } from '../../web/components/people-found.tsx';
import { page, type ViewProps } from '../../web/page-model/page.ts';

const params = z.object({ q: z.string().max(200).default('') });
const maybe = { found: lookUpSimilar };

/** Whom the field beside a list of people may mean: where scripts run, it completes from here. */
export const findPeoplePage = page({
  name: 'findPeople',
  path: '/people/find',
  title: () => 'Find people',
  params,
  reads: {},
  maybe,
  inputs: ({ q }) => ({ found: q.trim() === '' ? null : { people: [q.trim()], projects: [] } }),
  view: FindPeopleView,
});

function FindPeopleView({
  visit,
  params: { q },
  answers,
}: ViewProps<typeof params, Record<never, never>, typeof maybe>) {
  return (
    <>
      <header class="head">
        <h1>Find people</h1>
      </header>
      <form method="get" action={`${visit.base}/people/find`} class="filters">
        <input
          type="search"
          name="q"
          value={q}
          maxlength={200}
          aria-label="Name or address"
          placeholder="Name or address"
        />
        <button type="submit" class="plain">
          Find
        </button>
      </form>
      <PeopleFound people={answers.found?.people ?? []} />
    </>
  );
}
