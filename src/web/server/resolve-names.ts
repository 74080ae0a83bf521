import { readAsMember, type VisitingMember } from '../../accounts/browser-sessions/visitor.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { FoundPerson, FoundProject } from '../../search/lookup/lookup.queries.ts';
import { lookUpNames, lookUpSimilar } from '../../search/lookup/lookup.ts';
import {
  describePersonMatchProblem,
  describeProjectMatchProblem,
  matchPeople,
  matchProjects,
} from '../../search/lookup/match-names.ts';
import { FIND_PREFIX, FIND_PROJECT_PREFIX } from '../components/searchable-select.tsx';

/** No form has more name fields. The limit bounds the cost of comparing each name with everyone in the workspace. */
const NAMES_MAX = 5;
const NAME_CHARACTERS_MAX = 200;

interface ResolvedNames {
  readonly fields: URLSearchParams;
  readonly problems: Readonly<Record<string, string>>;
}

export function hasTypedNames(fields: URLSearchParams): boolean {
  return [...fields].some(([name, text]) => name.startsWith(FIND_PREFIX) && text.trim() !== '');
}

export async function resolveNames(
  c: HttpContext,
  visitor: VisitingMember,
  typed: URLSearchParams,
): Promise<ResolvedNames> {
  const fields = new URLSearchParams([...typed].filter(([name]) => !name.startsWith(FIND_PREFIX)));
  const nameFields = [...typed]
    .filter(([name]) => name.startsWith(FIND_PREFIX))
    .map(([name, text]) => ({
      name,
      text: extractEmailAddress(text.trim()),
      isProject: name.startsWith(FIND_PROJECT_PREFIX),
    }))
    .filter(({ text }) => text !== '');
  const problems: Record<string, string> = {};
  const unresolved = nameFields.filter(({ name, text }, index) => {
    if (index < NAMES_MAX && text.length <= NAME_CHARACTERS_MAX) return true;
    problems[name] =
      `Enter at most ${NAMES_MAX} names at a time, each with at most ${NAME_CHARACTERS_MAX} characters.`;
    return false;
  });
  if (unresolved.length === 0) return { fields, problems };
  const listNames = (ofProjects: boolean) =>
    unresolved.filter(({ isProject }) => isProject === ofProjects).map(({ text }) => text);
  const input = { people: listNames(false), projects: listNames(true) };
  const { results } = await readAsMember(c, visitor, () =>
    [lookUpNames, lookUpSimilar].map((operation) => ({ operation, input })),
  );
  const [same = noMatches, similar = noMatches] = results.map((each) =>
    each.ok ? (each.output as LookupResult) : noMatches,
  );
  for (const { name, text, isProject } of unresolved) {
    const { matches, problem } = isProject
      ? findProjectsByName(text, same, similar)
      : findPeopleByName(text, same, similar);
    const [only] = matches;
    const field = name.slice((isProject ? FIND_PROJECT_PREFIX : FIND_PREFIX).length);
    if (only && matches.length === 1) fields.set(field, String(only.id));
    else problems[name] = problem;
  }
  return { fields, problems };
}

interface LookupResult {
  readonly people: readonly FoundPerson[];
  readonly projects: readonly FoundProject[];
}
const noMatches: LookupResult = { people: [], projects: [] };

function findPeopleByName(text: string, same: LookupResult, similar: LookupResult) {
  const matches = matchPeople(text, { same: same.people, similar: similar.people });
  return { matches, problem: describePersonMatchProblem(text, matches) };
}

function findProjectsByName(text: string, same: LookupResult, similar: LookupResult) {
  const [number] = parseProjectSuggestion(text);
  const matches = number ? [number] : matchProjects(text, { same: same.projects, similar: similar.projects });
  return { matches, problem: describeProjectMatchProblem(text, matches) };
}

/** Suggestions insert "Name #number". The form's operation checks access to the project. */
function parseProjectSuggestion(text: string): FoundProject[] {
  const number = /#(\d{1,15})$/.exec(text)?.[1];
  return number === undefined ? [] : [{ id: Number(number), name: text }];
}

/** Suggestions insert "Name <address>". */
function extractEmailAddress(text: string): string {
  return /<([^<>]+)>$/.exec(text)?.[1] ?? text;
}
