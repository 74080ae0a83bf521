import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import {
  fittingPeople,
  fittingProjects,
  sayNotOnePerson,
  sayNotOneProject,
} from '../../search/lookup/fitting.ts';
import type { PersonFound, ProjectFound } from '../../search/lookup/lookup.queries.ts';
import { lookUpNames, lookUpSimilar } from '../../search/lookup/lookup.ts';
import { FIND_PREFIX, FIND_PROJECT_PREFIX } from '../components/searchable-select.tsx';
import { readAs } from './visitor.ts';

/** Each name is compared with everybody in the workspace; no page of ours has more fields, or longer ones. */
const NAMED_MAX = 5;
const CHARACTERS_MAX = 200;

interface ResolvedNames {
  /** The fields with ids where names were typed. */
  readonly fields: URLSearchParams;
  /** What is wrong with those that name nobody, or several. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Whether something was named in the field beside a list. */
export function hasNames(fields: URLSearchParams): boolean {
  return [...fields].some(([name, text]) => name.startsWith(FIND_PREFIX) && text.trim() !== '');
}

/** Turns what was typed beside a list of people or projects into the choice of that one in the list. */
export async function resolveNames(
  c: HttpContext,
  browser: SignedInBrowser,
  place: { workspaceId: string; cell: number },
  typed: URLSearchParams,
): Promise<ResolvedNames> {
  const fields = new URLSearchParams([...typed].filter(([name]) => !name.startsWith(FIND_PREFIX)));
  const named = [...typed]
    .filter(([name]) => name.startsWith(FIND_PREFIX))
    .map(([name, text]) => ({
      name,
      text: addressOf(text.trim()),
      isProject: name.startsWith(FIND_PROJECT_PREFIX),
    }))
    .filter(({ text }) => text !== '');
  const problems: Record<string, string> = {};
  const asked = named.filter(({ name, text }, index) => {
    if (index < NAMED_MAX && text.length <= CHARACTERS_MAX) return true;
    problems[name] = `Name at most ${NAMED_MAX} at once, each with at most ${CHARACTERS_MAX} characters.`;
    return false;
  });
  if (asked.length === 0) return { fields, problems };
  const textsOf = (ofProjects: boolean) =>
    asked.filter(({ isProject }) => isProject === ofProjects).map(({ text }) => text);
  const input = { people: textsOf(false), projects: textsOf(true) };
  const { results } = await readAs(c, browser, place, () =>
    [lookUpNames, lookUpSimilar].map((operation) => ({ operation, input })),
  );
  const [same = nothing, similar = nothing] = results.map((each) =>
    each.ok ? (each.output as All) : nothing,
  );
  for (const { name, text, isProject } of asked) {
    const { fits, problem } = isProject
      ? projectsCalled(text, same, similar)
      : peopleCalled(text, same, similar);
    const [only] = fits;
    const field = name.slice((isProject ? FIND_PROJECT_PREFIX : FIND_PREFIX).length);
    if (only && fits.length === 1) fields.set(field, String(only.id));
    else problems[name] = problem;
  }
  return { fields, problems };
}

interface All {
  readonly people: readonly PersonFound[];
  readonly projects: readonly ProjectFound[];
}
const nothing: All = { people: [], projects: [] };

function peopleCalled(text: string, same: All, similar: All) {
  const fits = fittingPeople(text, { same: same.people, similar: similar.people });
  return { fits, problem: sayNotOnePerson(text, fits) };
}

function projectsCalled(text: string, same: All, similar: All) {
  const [number] = numbered(text);
  const fits = number ? [number] : fittingProjects(text, { same: same.projects, similar: similar.projects });
  return { fits, problem: sayNotOneProject(text, fits) };
}

/** Suggestions write "Name #number". The operation of the form checks whether the person sees that project. */
function numbered(text: string): ProjectFound[] {
  const number = /#(\d{1,15})$/.exec(text)?.[1];
  return number === undefined ? [] : [{ id: Number(number), name: text }];
}

/** Suggestions write "Name <address>". */
function addressOf(text: string): string {
  return /<([^<>]+)>$/.exec(text)?.[1] ?? text;
}
