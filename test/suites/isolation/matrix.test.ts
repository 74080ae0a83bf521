import { beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { nameOf } from '../../contract/requests.ts';
import { s3 } from '../../files/attachments/presigning.ts';
import { type Answer, api } from '../../support/api.ts';
import { isLong } from '../../support/tier.ts';
import { watchWrites } from '../fuzz/watch-writes.ts';
import { type CredentialName, credentialAllows, type Outcome } from './oracle.ts';
import { MISSING, type Rule, rules } from './rules.ts';
import { type Cast, createStage, listScopesWithout, type Place, SECRET, type Stage } from './world.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The number of combinations that were compared. */
    cells?: number;
  }
}

const credentials: readonly CredentialName[] = [
  'session',
  'api key',
  'token with the scope',
  'token without the scope',
];
const statusOf: Record<Exclude<Outcome, 'ok'>, [number, string]> = {
  hidden: [404, 'not_found'],
  forbidden: [403, 'forbidden'],
  refused: [400, 'invalid_request'],
};

const store = watchWrites();
let stage: Stage;

beforeAll(async () => {
  // Thousands of log lines would take longer than the requests.
  vi.spyOn(console, 'log').mockReturnValue();
  stage = await createStage();
});

function getToken(cast: Cast, credential: CredentialName, scope: string): string | Promise<string> {
  switch (credential) {
    case 'session':
      return cast.bound.token;
    case 'api key':
      return cast.apiKey;
    case 'token with the scope':
      return cast.oauth(scope === 'session' ? listScopesWithout() : scope.split(' '));
    case 'token without the scope':
      return cast.oauth(listScopesWithout(scope.split(' ').at(-1) ?? ''));
  }
}

/** `npm test` alternates: for each person of each rule, it uses only two of the four credentials. */
function pickCredentials(turn: number): readonly CredentialName[] {
  return isLong ? credentials : credentials.filter((_, index) => index % 2 === turn % 2);
}

function listPlaces(cast: Cast, rule: Rule): Place[] {
  // The missing place comes first, because the others are compared with its response.
  return [MISSING, ...cast.places, ...(cast.actor.isBoundHere ? [stage.foreign] : [])].filter((place) =>
    rule.relations.includes(place.relation),
  );
}

/** Returns how the response differs from what the oracle expects. */
async function compareWithOracle(
  rule: Rule,
  cast: Cast,
  credential: CredentialName,
  at: Place,
  missing: Answer | null,
) {
  const outcome = credentialAllows(credential, rule.scope)
    ? rule.expected(cast.actor, at.relation)
    : 'forbidden';
  const place = outcome === 'ok' && rule.prepare ? await rule.prepare(at, cast, stage) : at;
  const { path, body, headers } = rule.call(place, cast, stage);
  const token = await getToken(cast, credential, rule.scope);
  const method = rule.route.split(' ')[0] as string;
  const send = (extra: Record<string, string> = {}) =>
    api(token, { ...s3, ...store.bindings }).call(method, path, body, { ...headers, ...extra });
  const answer = await send();
  const problems: string[] = [];
  if (outcome === 'ok') {
    store.takeWrites();
    if (answer.status >= 300) problems.push(`${answer.status} ${answer.text}`);
    else if (rule.shows) {
      const shown = rule.read ? rule.read(answer.body) : answer.body.id;
      if (shown !== rule.shows(place)) problems.push(`shows ${shown}`);
    }
    return { answer, problems };
  }
  const [status, code] = statusOf[outcome];
  if (answer.status !== status || answer.body.error?.code !== code) {
    problems.push(`${answer.status} instead of ${status}: ${answer.text.slice(0, 200)}`);
  }
  if (answer.text.includes(SECRET)) problems.push(`reveals a name: ${answer.text}`);
  if (outcome === 'hidden' && missing && answer.text !== exchangeIds(missing.text, place)) {
    problems.push(
      `differs from the response for a missing one: ${answer.text} / ${exchangeIds(missing.text, place)}`,
    );
  }
  if (outcome === 'hidden' && missing && credential === 'session') {
    for (const conditional of [{ 'If-None-Match': '*' }, { 'If-Match': '*' }]) {
      if ((await send(conditional)).text !== answer.text)
        problems.push(`can be detected with ${Object.keys(conditional)}`);
    }
  }
  const writes = store.takeWrites();
  if (writes.length > 0) problems.push(`rejected, and wrote ${writes.join('; ')}`);
  return { answer, problems };
}

/** Returns the text about the missing object with the ids of this object. */
function exchangeIds(text: string, place: Place): string {
  const { belongings, relation: _relation, ...ids } = place;
  const { belongings: none, relation: _none, ...missing } = MISSING;
  const pairs = [...pairUp(missing, ids), ...pairUp(none, belongings)];
  return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

function pairUp<T extends object>(from: T, to: T): [string, string][] {
  return Object.keys(from).map((key) => [String(from[key as keyof T]), String(to[key as keyof T])]);
}

describe('access by role, relation and credential', () => {
  it('is defined for every operation that requires a credential', () => {
    const known = new Set(rules.map((rule) => rule.route));
    const guarded = routes.filter((route) => route.operation.access !== 'public');
    expect(guarded.map(nameOf).filter((name) => !known.has(name))).toEqual([]);
  });

  it.for(rules.map((rule) => [`${rule.route} ${rule.variant ?? ''}`.trim(), rule] as const))(
    'follows the rules for every caller (%s)',
    async ([, rule], { task }) => {
      const wrong: string[] = [];
      let cells = 0;
      for (const [index, cast] of stage.cast.entries()) {
        for (const credential of pickCredentials(rules.indexOf(rule) + index)) {
          let missing: Answer | null = null;
          for (const place of listPlaces(cast, rule)) {
            const { answer, problems } = await compareWithOracle(rule, cast, credential, place, missing);
            if (place === MISSING) missing = answer;
            const name = `${cast.actor.name}, ${place.relation}, ${credential}`;
            wrong.push(...problems.map((problem) => `${name}: ${problem}`));
            cells += 1;
          }
        }
      }
      task.meta.cells = cells;
      expect(wrong).toEqual([]);
    },
  );
});
