import type * as z from 'zod';
import { readAsMember, type VisitingMember } from '../../accounts/browser-sessions/visitor.ts';
import type { ReadResult } from '../../kernel/execute/execute-reads.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { FoundPerson, FoundProject } from '../../search/lookup/lookup.queries.ts';
import { lookUpNames, lookUpSimilar } from '../../search/lookup/lookup.ts';
import {
  describePersonMatchProblem,
  describeProjectMatchProblem,
  describeTaskMatchProblem,
  matchPeople,
  matchProjects,
  matchTasks,
} from '../../search/lookup/match-names.ts';
import { listTaskRows } from '../../time/reports/team-time.ts';
import { FIND_PREFIX, FIND_PROJECT_PREFIX, FIND_TASK_PREFIX } from '../components/searchable-select.tsx';
import { toTaskSearch } from '../components/task-search.ts';

/** No form has more name fields. The limit bounds the cost of comparing each name with everyone in the workspace. */
const NAMES_MAX = 5;
const NAME_CHARACTERS_MAX = 200;
const TASKS_FOUND_MAX = 100;

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
      prefix: prefixes.find((each) => name.startsWith(each)) ?? FIND_PREFIX,
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
  const listNames = (wanted: string) =>
    unresolved.filter(({ prefix }) => prefix === wanted).map(({ text }) => text);
  const input = { people: listNames(FIND_PREFIX), projects: listNames(FIND_PROJECT_PREFIX) };
  const taskNames = [...new Set(listNames(FIND_TASK_PREFIX))];
  const { results } = await readAsMember(c, visitor, () => [
    ...[lookUpNames, lookUpSimilar].map((operation) => ({ operation, input })),
    ...taskNames.map((text) => ({
      operation: listTaskRows,
      input: { ...toTaskSearch(text), limit: TASKS_FOUND_MAX },
    })),
  ]);
  const [same = noMatches, similar = noMatches] = results
    .slice(0, 2)
    .map((each) => (each.ok ? (each.output as LookupResult) : noMatches));
  for (const { name, text, prefix } of unresolved) {
    const { matches, problem } =
      prefix === FIND_TASK_PREFIX
        ? findTasksByName(text, results[2 + taskNames.indexOf(text)])
        : prefix === FIND_PROJECT_PREFIX
          ? findProjectsByName(text, same, similar)
          : findPeopleByName(text, same, similar);
    const [only] = matches;
    const field = name.slice(prefix.length);
    if (only && matches.length === 1) fields.set(field, String(only.id));
    else problems[name] = problem;
  }
  return { fields, problems };
}

const prefixes = [FIND_PROJECT_PREFIX, FIND_TASK_PREFIX];

interface LookupResult {
  readonly people: readonly FoundPerson[];
  readonly projects: readonly FoundProject[];
}
const noMatches: LookupResult = { people: [], projects: [] };
const noTasks = { data: [], meta: { hasMore: false, total: 0 } };

function findPeopleByName(text: string, same: LookupResult, similar: LookupResult) {
  const matches = matchPeople(text, { same: same.people, similar: similar.people });
  return { matches, problem: describePersonMatchProblem(text, matches) };
}

function findProjectsByName(text: string, same: LookupResult, similar: LookupResult) {
  const [number] = parseProjectSuggestion(text);
  const matches = number ? [number] : matchProjects(text, { same: same.projects, similar: similar.projects });
  return { matches, problem: describeProjectMatchProblem(text, matches) };
}

function findTasksByName(text: string, result: ReadResult | undefined) {
  const { data, meta } = result?.ok ? (result.output as z.output<typeof listTaskRows.output>) : noTasks;
  const matches = matchTasks(text, data);
  const total = meta.hasMore ? meta.total : matches.length;
  return { matches, problem: describeTaskMatchProblem(text, matches, total) };
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
