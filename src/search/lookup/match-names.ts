import type { FoundPerson, FoundProject } from './lookup.queries.ts';

const NAMES_SHOWN_MAX = 5;

interface NameMatches<T> {
  readonly same: readonly T[];
  readonly similar: readonly T[];
}

/** An exact email address takes precedence over a name, and a full name over part of a name. */
export function matchPeople(
  text: string,
  { same, similar }: NameMatches<FoundPerson>,
): readonly FoundPerson[] {
  const isText = (one: string) => one.toLowerCase() === text.toLowerCase();
  const parts = similar.filter(({ name, email }) =>
    `${name}\n${email}`.toLowerCase().includes(text.toLowerCase()),
  );
  const choices = [same.filter(({ email }) => isText(email)), same.filter(({ name }) => isText(name)), parts];
  return choices.find(({ length }) => length > 0) ?? [];
}

export function matchProjects(
  text: string,
  { same, similar }: NameMatches<FoundProject>,
): readonly FoundProject[] {
  const exact = same.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  return exact.length > 0
    ? exact
    : similar.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}

/** Matches `#12`, `12` or the `Name #12` of a suggestion. */
const TASK_NUMBER_PATTERN = /^(?:.*#)?(\d{1,15})$/;

export function parseTaskNumber(text: string): number | null {
  const number = TASK_NUMBER_PATTERN.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

export function matchTasks<T extends FoundProject>(text: string, found: readonly T[]): readonly T[] {
  const exact = found.filter(({ name }) => name.trim().toLowerCase() === text.toLowerCase());
  return exact.length > 0 ? exact : found;
}

export function describePersonMatchProblem(text: string, fits: readonly FoundPerson[]): string {
  if (fits.length === 0) return `No one matches “${text}”. Check the spelling, or type an email address.`;
  const shown = fits.slice(0, NAMES_SHOWN_MAX).map(({ name, email }) => `${name} <${email}>`);
  return `Several people match: ${formatList(shown, fits.length)}. Type an email address.`;
}

export function describeProjectMatchProblem(text: string, fits: readonly FoundProject[]): string {
  return describeNumberedMatchProblem('project', text, fits);
}

export function describeTaskMatchProblem(
  text: string,
  fits: readonly FoundProject[],
  total = fits.length,
): string {
  return describeNumberedMatchProblem('task', text, fits, total);
}

function describeNumberedMatchProblem(
  noun: 'project' | 'task',
  text: string,
  fits: readonly FoundProject[],
  total = fits.length,
): string {
  if (fits.length === 0) return `No ${noun} matches “${text}”. Check the spelling, or type # and the number.`;
  const shown = fits.slice(0, NAMES_SHOWN_MAX).map(({ id, name }) => `${name} #${id}`);
  return `Several ${noun}s match: ${formatList(shown, total)}. Type more of the name, or # and the number.`;
}

function formatList(shown: readonly string[], total: number): string {
  return `${shown.join(', ')}${total > shown.length ? ' and others' : ''}`;
}
