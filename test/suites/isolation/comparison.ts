import { expect } from 'vitest';
import { api } from '../../support/api.ts';
import type { Cast, Stage } from './world.ts';

export type Id = number | string;
/** A list, and exactly the ids that it must contain. */
export interface ExpectedList {
  readonly path: string;
  readonly ids: readonly Id[];
  /** Whether the list returns 400 instead, because its filter contains a person outside the workspace. */
  readonly isRefused?: boolean;
  /** Reads the ids from the response. By default, these are the ids on the page, and the total must equal their number. */
  readonly read?: (body: Body) => readonly Id[];
}
// biome-ignore lint/suspicious/noExplicitAny: every response has already been validated against the contract.
export type Body = any;
export type CredentialKind = 'session' | 'api key' | 'oauth';

export const readIds = (body: Body): Id[] => body.data.map((each: { id: Id }) => each.id);
const sortIds = (found: readonly Id[]) => [...found].map(String).sort();

/** Compares the lists of every actor with every credential. Returns the number of comparisons. */
export async function compareLists(
  stage: Stage,
  scope: string,
  expectedOf: (cast: Cast, kind: CredentialKind) => readonly ExpectedList[],
): Promise<number> {
  const wrong: string[] = [];
  let cells = 0;
  for (const cast of stage.cast) {
    const tokens: [CredentialKind, string][] = [['session', cast.bound.token]];
    if (scope !== 'session') tokens.push(['api key', cast.apiKey], ['oauth', await cast.oauth([scope])]);
    for (const [kind, token] of tokens) {
      for (const { path, ids: expected, read, isRefused } of expectedOf(cast, kind)) {
        cells += 1;
        const { status, body, text } = await api(token).get(path);
        const name = `${cast.actor.name}, ${kind}, GET ${path}`;
        if (status !== 200 || isRefused) {
          if (status !== 400 || !isRefused) wrong.push(`${name}: ${text}`);
          continue;
        }
        const found = (read ?? readIds)(body);
        if (sortIds(found).join() !== sortIds(expected).join()) {
          wrong.push(`${name}: shows ${sortIds(found)} instead of ${sortIds(expected)}`);
        }
        if (!read && body.meta.total !== expected.length)
          wrong.push(`${name}: a total of ${body.meta.total}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  return cells;
}
