import type { PersonFound, ProjectFound } from './lookup.queries.ts';

const SHOWN_MAX = 5;

/** Exact matches of a text, and those whose name contains it. */
interface Found<T> {
  readonly same: readonly T[];
  readonly similar: readonly T[];
}

/** People that a text may mean. An email address wins over a name, and a whole name over a part. */
export function matchPeople(text: string, { same, similar }: Found<PersonFound>): readonly PersonFound[] {
  const isText = (one: string) => one.toLowerCase() === text.toLowerCase();
  const parts = similar.filter(({ name, email }) =>
    `${name}\n${email}`.toLowerCase().includes(text.toLowerCase()),
  );
  const choices = [same.filter(({ email }) => isText(email)), same.filter(({ name }) => isText(name)), parts];
  return choices.find(({ length }) => length > 0) ?? [];
}

export function matchProjects(text: string, { same, similar }: Found<ProjectFound>): readonly ProjectFound[] {
  const exact = same.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  return exact.length > 0
    ? exact
    : similar.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}

/** Explains why no person matches, or more than one. */
export function describePersonMismatch(text: string, fits: readonly PersonFound[]): string {
  if (fits.length === 0) return `No one is called “${text}”.`;
  const shown = fits.slice(0, SHOWN_MAX).map(({ name, email }) => `${name} <${email}>`);
  return `Several people match: ${listed(shown, fits.length)}. Type an email address.`;
}

export function describeProjectMismatch(text: string, fits: readonly ProjectFound[]): string {
  if (fits.length === 0) return `No project is called “${text}”.`;
  const shown = fits.slice(0, SHOWN_MAX).map(({ id, name }) => `${name} #${id}`);
  return `Several projects match: ${listed(shown, fits.length)}. Type more of the name, or # and the number.`;
}

function listed(shown: readonly string[], total: number): string {
  return `${shown.join(', ')}${total > shown.length ? ' and others' : ''}`;
}
