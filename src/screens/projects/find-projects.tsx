import * as z from 'zod';
import { lookUpSimilar } from '../../lookup/lookup.ts';
import { ProjectsFound } from '../../web/components/projects-found.tsx';
import { page, type ViewProps } from '../../web/page-model/page.ts';

const params = z.object({ q: z.string().max(200).default('') });
const maybe = { found: lookUpSimilar };

/** Which project the field beside a list of them may mean: where scripts run, it completes from here. */
export const findProjectsPage = page({
  name: 'findProjects',
  path: '/projects/find',
  title: () => 'Find projects',
  params,
  reads: {},
  maybe,
  inputs: ({ q }) => ({ found: q.trim() === '' ? null : { people: [], projects: [q.trim()] } }),
  view: FindProjectsView,
});

function FindProjectsView({
  visit,
  params: { q },
  answers,
}: ViewProps<typeof params, Record<never, never>, typeof maybe>) {
  return (
    <>
      <header class="head">
        <h1>Find projects</h1>
      </header>
      <form method="get" action={`${visit.base}/projects/find`} class="filters">
        <input type="search" name="q" value={q} maxlength={200} aria-label="Name" placeholder="Name" />
        <button type="submit" class="plain">
          Find
        </button>
      </form>
      <ProjectsFound projects={answers.found?.projects ?? []} />
    </>
  );
}
