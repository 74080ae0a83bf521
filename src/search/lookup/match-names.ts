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

export function describePersonMatchProblem(text: string, fits: readonly FoundPerson[]): string {
  if (fits.length === 0) return `No one matches “${text}”. Check the spelling, or type an email address.`;
  const shown = fits.slice(0, NAMES_SHOWN_MAX).map(({ name, email }) => `${name} <${email}>`);
  return `Several people match: ${formatList(shown, fits.length)}. Type an email address.`;
}

export function describeProjectMatchProblem(text: string, fits: readonly FoundProject[]): string {
  if (fits.length === 0) return `No project matches “${text}”. Check the spelling, or type # and the number.`;
  const shown = fits.slice(0, NAMES_SHOWN_MAX).map(({ id, name }) => `${name} #${id}`);
  return `Several projects match: ${formatList(shown, fits.length)}. Type more of the name, or # and the number.`;
}

function formatList(shown: readonly string[], total: number): string {
  return `${shown.join(', ')}${total > shown.length ? ' and others' : ''}`;
}
