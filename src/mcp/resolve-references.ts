import { quoteValue } from '../kernel/errors/describe-parse-error.ts';
import { AppError, invalidRequestError } from '../kernel/errors/errors.ts';
import { buildToolLine } from '../kernel/text/tool-text.ts';
import type { References, ResolvedReferences, ToolContext } from '../kernel/tools/tool.ts';
import type { FoundPerson, FoundProject } from '../search/lookup/lookup.queries.ts';
import { lookUpNames, lookUpSimilar, SIMILAR_MATCHES_MAX } from '../search/lookup/lookup.ts';

const CANDIDATES_SHOWN_MAX = 10;

interface ReferenceContext {
  readonly userId: string;
  readonly maySeeNames: boolean;
  readonly run: ToolContext['run'];
}

interface NameMatches {
  readonly people: readonly FoundPerson[];
  readonly projects: readonly FoundProject[];
}

export async function resolveReferences(
  { userId, maySeeNames, run }: ReferenceContext,
  references: readonly References[],
): Promise<(ResolvedReferences | AppError)[]> {
  const items = references.map(({ people = [], project }) => ({
    people: people.map((text) => text.trim()),
    project: typeof project === 'string' ? parseProjectReference(project) : project,
  }));
  const names = {
    people: [...new Set(items.flatMap(({ people }) => people))].filter(
      (each) => !isMe(each) && !isUserId(each),
    ),
    projects: [...new Set(items.map(({ project }) => project))].filter((each) => typeof each === 'string'),
  };
  const isNamed = names.people.length + names.projects.length > 0;
  if (isNamed && !maySeeNames) throw missingScopeError([...names.people, ...names.projects]);
  const found: NameMatches = isNamed ? await run(lookUpNames, names) : { people: [], projects: [] };
  const missing = {
    people: names.people.filter((text) => matchPeople(text, found.people).length === 0),
    projects: names.projects.filter((text) => matchProjects(text, found.projects).length === 0),
  };
  const isMissing = missing.people.length + missing.projects.length > 0;
  const similar: NameMatches = isMissing ? await run(lookUpSimilar, missing) : { people: [], projects: [] };

  return items.map(({ people, project }) => {
    try {
      return {
        projectId: typeof project === 'string' ? chooseProject(project, found, similar) : project,
        userIds: people.map((text) => {
          if (isMe(text)) return userId;
          return isUserId(text) ? text : resolvePerson(text, found, similar);
        }),
      };
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

function isMe(text: string): boolean {
  return text.toLowerCase() === 'me';
}

function isUserId(text: string): boolean {
  return /^usr_\w+$/.test(text);
}

function parseProjectReference(text: string): string | number {
  const trimmed = text.trim();
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function missingScopeError(names: readonly string[]): AppError {
  return new AppError(
    'forbidden',
    `Finding ${names.map(quoteValue).join(', ')} by name requires the scope projects:read, which this token lacks. Pass ids or "me".`,
  );
}

function matchPeople(text: string, people: readonly FoundPerson[]): readonly FoundPerson[] {
  const same = (one: string) => one.toLowerCase() === text.toLowerCase();
  return filterByFirstMatchingTest(
    people.filter(({ id, name, email }) => id === text || same(email) || same(name)),
    [({ id }) => id === text, ({ email }) => same(email), ({ name }) => name === text],
  );
}

function matchProjects(text: string, projects: readonly FoundProject[]): readonly FoundProject[] {
  const same = projects.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  return filterByFirstMatchingTest(same, [({ name }) => name === text]);
}

function resolvePerson(text: string, { people }: NameMatches, similar: NameMatches): string {
  const matches = matchPeople(text, people);
  if (matches.length === 1) return (matches[0] as FoundPerson).id;
  const lines = (candidates: readonly FoundPerson[]) =>
    candidates.map(({ id, name, email }) => buildToolLine(id, name, email));
  if (matches.length > 1) {
    throw ambiguousNameError(
      `${matches.length} people are named ${quoteValue(text)}; pass the id or email of one of these`,
      lines(matches),
    );
  }
  const near = similar.people.filter(({ name, email }) => containsIgnoringCase(`${name} ${email}`, text));
  const onlyOne = similar.people.length < SIMILAR_MATCHES_MAX && findByFirstName(text, near);
  if (onlyOne) return onlyOne.id;
  if (near.length > 0) {
    throw ambiguousNameError(
      `No person is named exactly ${quoteValue(text)}; pass the id or email of one of these`,
      lines(near),
    );
  }
  throw invalidRequestError(
    `No one in this workspace matches ${quoteValue(text)}. Pass a user id, an email, a name or "me"; find_people lists everyone.`,
  );
}

/**
 * Returns the only person with this first name, unless the name also occurs as a word in someone else's name or
 * email.
 */
function findByFirstName(text: string, near: readonly FoundPerson[]): FoundPerson | undefined {
  const wanted = text.toLowerCase();
  const isWord = (whole: string) =>
    ` ${whole.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${wanted} `);
  const [first, ...others] = near.filter(({ name, email }) => isWord(name) || isWord(email));
  return others.length === 0 && first?.name.toLowerCase().startsWith(`${wanted} `) ? first : undefined;
}

function chooseProject(text: string, { projects }: NameMatches, similar: NameMatches): number {
  const matches = matchProjects(text, projects);
  if (matches.length === 1) return (matches[0] as FoundProject).id;
  const lines = (candidates: readonly FoundProject[]) =>
    candidates.map(({ id, name }) => buildToolLine(id, name));
  if (matches.length > 1) {
    throw ambiguousNameError(
      `${matches.length} projects are named ${quoteValue(text)}; pass the id of one of these`,
      lines(matches),
    );
  }
  const near = similar.projects.filter(({ name }) => containsIgnoringCase(name, text));
  if (near.length > 0) {
    throw ambiguousNameError(
      `No project is named exactly ${quoteValue(text)}; pass the id of one of these`,
      lines(near),
    );
  }
  throw invalidRequestError(
    `No project ${quoteValue(text)} is visible to you. Pass an id or an exact name. find_projects lists the projects that you can see.`,
  );
}

function containsIgnoringCase(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

function filterByFirstMatchingTest<T>(
  candidates: readonly T[],
  tests: readonly ((candidate: T) => boolean)[],
): readonly T[] {
  for (const test of tests) {
    const passing = candidates.filter(test);
    if (passing.length > 0) return passing;
  }
  return candidates;
}

function ambiguousNameError(problem: string, lines: readonly string[]): AppError {
  const hidden = lines.length - CANDIDATES_SHOWN_MAX;
  const shown = lines.slice(0, CANDIDATES_SHOWN_MAX).map((each) => `- ${each}`);
  return invalidRequestError(
    [`${problem}:`, ...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n'),
  );
}
