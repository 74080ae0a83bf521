import { AppError, invalidRequest } from '../kernel/errors.ts';
import { show } from '../kernel/explain.ts';
import type { References, ToolContext } from '../kernel/tool.ts';
import type { PersonFound, ProjectFound } from './lookup.queries.ts';
import { lookUpNames } from './lookup.ts';

const CANDIDATES_SHOWN_MAX = 10;

interface Asker {
  readonly userId: string;
  readonly maySeeNames: boolean;
  readonly run: ToolContext['run'];
}

/** Turns a model's names of people and a project into ids. Ids and "me" cost no trip, all names together one. */
export async function resolveReferences({ userId, maySeeNames, run }: Asker, references: References) {
  const people = (references.people ?? []).map((text) => text.trim());
  const project = typeof references.project === 'string' ? toId(references.project) : references.project;
  const names = {
    people: people.filter((text) => !isMe(text) && !isUserId(text)),
    projects: typeof project === 'string' ? [project] : [],
  };
  const isNamed = names.people.length + names.projects.length > 0;
  if (isNamed && !maySeeNames) throw needsScope([...names.people, ...names.projects]);
  const found = isNamed ? await run(lookUpNames, names) : { people: [], projects: [] };
  return {
    projectId: typeof project === 'string' ? chooseProject(project, found.projects) : project,
    userIds: people.map((text) => {
      if (isMe(text)) return userId;
      return isUserId(text) ? text : choosePerson(text, found.people);
    }),
  };
}

function isMe(text: string): boolean {
  return text.toLowerCase() === 'me';
}

function isUserId(text: string): boolean {
  return /^usr_\w+$/.test(text);
}

/** Digits are an id, sent as a number or as text. */
function toId(text: string): string | number {
  const trimmed = text.trim();
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function needsScope(names: readonly string[]): AppError {
  return new AppError(
    'forbidden',
    `Finding ${names.map(show).join(', ')} by name takes the scope projects:read, which this token lacks. Pass ids or "me".`,
  );
}

function choosePerson(text: string, people: readonly PersonFound[]): string {
  const same = (one: string) => one.toLowerCase() === text.toLowerCase();
  const matches = narrow(
    people.filter(({ id, name, email }) => id === text || same(email) || same(name)),
    [({ id }) => id === text, ({ email }) => same(email), ({ name }) => name === text],
  );
  if (matches.length === 1) return (matches[0] as PersonFound).id;
  if (matches.length === 0) {
    throw invalidRequest(
      `No person ${show(text)} in this workspace. Pass a user id, an email, an exact name or "me"; find_people lists everyone.`,
    );
  }
  const lines = matches.map(({ id, name, email }) => `${name}, ${email}, ${id}`);
  throw ambiguous(`${matches.length} people are called ${show(text)}; pass the id or email of one`, lines);
}

function chooseProject(text: string, projects: readonly ProjectFound[]): number {
  const matches = narrow(projects, [({ name }) => name === text]);
  if (matches.length === 1) return (matches[0] as ProjectFound).id;
  if (matches.length === 0) {
    throw invalidRequest(
      `No project ${show(text)} is visible to you. Pass an id or an exact name; find_projects lists them.`,
    );
  }
  const lines = matches.map(({ id, name }) => `${id}, ${name}`);
  throw ambiguous(`${matches.length} projects are called ${show(text)}; pass the id of one`, lines);
}

/** Applies tests in order until a candidate passes: an exact email wins over a name, an exact name over another case. */
function narrow<T>(candidates: readonly T[], tests: readonly ((candidate: T) => boolean)[]): readonly T[] {
  for (const test of tests) {
    const passing = candidates.filter(test);
    if (passing.length > 0) return passing;
  }
  return candidates;
}

function ambiguous(problem: string, candidates: readonly string[]): AppError {
  const hidden = candidates.length - CANDIDATES_SHOWN_MAX;
  const shown = candidates.slice(0, CANDIDATES_SHOWN_MAX).map((each) => `- ${each}`);
  return invalidRequest([`${problem}:`, ...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n'));
}
