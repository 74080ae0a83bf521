import { type EdgeworkClient, EdgeworkError } from '../../../.wrangler/assets/client.js';
import { CommandError, exitCodes } from '../terminal/errors.ts';

interface Candidate {
  readonly id: number | string;
  readonly name: string;
}

/** The search for an exact match ends after this many candidates. */
const CANDIDATES_MAX = 500;
const CANDIDATES_SHOWN_MAX = 10;

/** Accepts an id, a name, or a part of a name that only one project has. */
export async function findProjectId(client: EdgeworkClient, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) {
    const project = await findOrNull(client.getProject({ id: Number(text), fields: ['id'] }));
    if (project) return project.id;
  }
  return pickOne(
    'project',
    text,
    client.listProjects.all({ search: requireNonEmptyName(text), scope: 'all' }),
  );
}

/** Accepts an id, `me`, an email address, a name, or a part of a name that only one person has. */
export async function findPersonId(client: EdgeworkClient, text: string): Promise<string> {
  if (text === 'me') return (await client.getMe()).id;
  if (/^usr_\w+$/.test(text)) {
    const person = await findOrNull(client.getUser({ id: text }));
    if (person) return person.id;
  }
  return pickOne('person', text, client.listUsers.all({ search: requireNonEmptyName(text) }));
}

function requireNonEmptyName(text: string): string {
  if (text.trim() === '') throw new CommandError('The name is empty.');
  return text;
}

async function findOrNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof EdgeworkError && error.code === 'not_found') return null;
    throw error;
  }
}

async function pickOne<T extends Candidate & { readonly email?: string }>(
  kind: string,
  text: string,
  found: AsyncIterable<T>,
): Promise<T['id']> {
  const wanted = text.toLowerCase();
  const candidates: T[] = [];
  const exact: T[] = [];
  for await (const each of found) {
    if (each.email?.toLowerCase() === wanted) return each.id;
    if (each.name.toLowerCase() === wanted) exact.push(each);
    candidates.push(each);
    if (candidates.length === CANDIDATES_MAX) break;
  }
  const [only, ...others] = exact.length > 0 ? exact : candidates;
  if (!only) throw new CommandError(`No ${kind} has a name that contains "${text}".`, exitCodes.notFound);
  if (others.length === 0) return only.id;
  const names = [only, ...others].slice(0, CANDIDATES_SHOWN_MAX).map(({ id, name }) => `${name} (${id})`);
  throw new CommandError(`"${text}" matches more than one ${kind}: ${names.join(', ')}. Use the id.`);
}
