import { expect } from 'vitest';
import { api } from '../../support/api.ts';
import type { Caller, IsolationWorld } from './world.ts';

export type Id = number | string;
/** A list with the exact ids that it must contain. */
export interface ExpectedList {
  readonly path: string;
  readonly ids: readonly Id[];
  /** Whether the request fails with 400 because its filter contains a person outside the workspace. */
  readonly isRefused?: boolean;
  /**
   * Reads the ids from the response. By default, reads the ids on the page, and checks that `total` is their number.
   */
  readonly read?: (body: ResponseBody) => readonly Id[];
}
// biome-ignore lint/suspicious/noExplicitAny: every response has already been validated against the contract.
export type ResponseBody = any;
export type CredentialKind = 'session' | 'api key' | 'oauth';

export const readIds = (body: ResponseBody): Id[] => body.data.map((each: { id: Id }) => each.id);
const sortIds = (found: readonly Id[]) => [...found].map(String).sort();

/** Requests the lists as every actor with every credential. Returns the number of comparisons. */
export async function compareLists(
  world: IsolationWorld,
  scope: string,
  expectedOf: (caller: Caller, kind: CredentialKind) => readonly ExpectedList[],
): Promise<number> {
  const wrong: string[] = [];
  let cells = 0;
  for (const caller of world.callers) {
    const tokens: [CredentialKind, string][] = [['session', caller.bound.token]];
    if (scope !== 'session') tokens.push(['api key', caller.apiKey], ['oauth', await caller.oauth([scope])]);
    for (const [kind, token] of tokens) {
      for (const { path, ids: expected, read, isRefused } of expectedOf(caller, kind)) {
        cells += 1;
        const { status, body, text } = await api(token).get(path);
        const name = `${caller.actor.name}, ${kind}, GET ${path}`;
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
