import { expect } from 'vitest';
import { api } from '../../support/api.ts';
import type { Cast, Stage } from './world.ts';

export type Id = number | string;
/** A list, and the ids that it must show, no more and no fewer. */
export interface Expected {
  readonly path: string;
  readonly ids: readonly Id[];
  /** The list returns 400 instead, because it names a person outside the workspace. */
  readonly isRefused?: boolean;
  /** How the answer shows them; by default the ids of its page, whose total must fit. */
  readonly read?: (body: Body) => readonly Id[];
}
// biome-ignore lint/suspicious/noExplicitAny: every answer was validated against the contract already.
export type Body = any;
export type Kind = 'session' | 'api key' | 'oauth';

export const ids = (body: Body): Id[] => body.data.map((each: { id: Id }) => each.id);
const sorted = (found: readonly Id[]) => [...found].map(String).sort();

/** Compares what every actor with every credential finds; answers the number of cells. */
export async function compare(
  stage: Stage,
  scope: string,
  expectedOf: (cast: Cast, kind: Kind) => readonly Expected[],
): Promise<number> {
  const wrong: string[] = [];
  let cells = 0;
  for (const cast of stage.cast) {
    const tokens: [Kind, string][] = [['session', cast.bound.token]];
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
        const found = (read ?? ids)(body);
        if (sorted(found).join() !== sorted(expected).join()) {
          wrong.push(`${name}: shows ${sorted(found)} instead of ${sorted(expected)}`);
        }
        if (!read && body.meta.total !== expected.length)
          wrong.push(`${name}: a total of ${body.meta.total}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  return cells;
}
