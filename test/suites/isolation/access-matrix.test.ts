import { beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { getRouteName } from '../../contract/requests.ts';
import { s3 } from '../../files/attachments/presigning.ts';
import { type ApiResponse, api } from '../../support/api.ts';
import { isLong } from '../../support/tier.ts';
import { watchWrites } from '../fuzz/watch-writes.ts';
import { type CredentialName, credentialAllows, type Outcome } from './oracle.ts';
import { MISSING, type Rule, rules } from './rules.ts';
import {
  type Caller,
  createIsolationWorld,
  type IsolationWorld,
  listScopesWithout,
  type ObjectSet,
  SECRET_WORD,
} from './world.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The number of comparisons that the test made. */
    cells?: number;
  }
}

const credentials: readonly CredentialName[] = [
  'session',
  'api key',
  'token with the scope',
  'token without the scope',
];
const statusByOutcome: Record<Exclude<Outcome, 'ok'>, [number, string]> = {
  hidden: [404, 'not_found'],
  forbidden: [403, 'forbidden'],
  refused: [400, 'invalid_request'],
};

const writeLog = watchWrites();
let world: IsolationWorld;

beforeAll(async () => {
  // Thousands of log lines would take longer than the requests.
  vi.spyOn(console, 'log').mockReturnValue();
  world = await createIsolationWorld();
});

function getToken(caller: Caller, credential: CredentialName, scope: string): string | Promise<string> {
  switch (credential) {
    case 'session':
      return caller.bound.token;
    case 'api key':
      return caller.apiKey;
    case 'token with the scope':
      return caller.oauth(scope === 'session' ? listScopesWithout() : scope.split(' '));
    case 'token without the scope':
      return caller.oauth(listScopesWithout(scope.split(' ').at(-1) ?? ''));
  }
}

/** In `npm test`, turns alternate between two pairs of credentials. */
function pickCredentials(turn: number): readonly CredentialName[] {
  return isLong ? credentials : credentials.filter((_, index) => index % 2 === turn % 2);
}

function listObjectSets(caller: Caller, rule: Rule): ObjectSet[] {
  // Missing objects come first, because the responses for hidden objects are compared with theirs.
  return [MISSING, ...caller.objectSets, ...(caller.actor.isBoundHere ? [world.foreign] : [])].filter(
    (objects) => rule.relations.includes(objects.relation),
  );
}

async function compareWithOracle(
  rule: Rule,
  caller: Caller,
  credential: CredentialName,
  at: ObjectSet,
  missing: ApiResponse | null,
) {
  const outcome = credentialAllows(credential, rule.scope)
    ? rule.expected(caller.actor, at.relation)
    : 'forbidden';
  const objects = outcome === 'ok' && rule.prepare ? await rule.prepare(at, caller, world) : at;
  const { path, body, headers } = rule.call(objects, caller, world);
  const token = await getToken(caller, credential, rule.scope);
  const method = rule.route.split(' ')[0] as string;
  const sendRequest = (extra: Record<string, string> = {}) =>
    api(token, { ...s3, ...writeLog.bindings }).call(method, path, body, { ...headers, ...extra });
  const answer = await sendRequest();
  const problems: string[] = [];
  if (outcome === 'ok') {
    writeLog.takeWrites();
    if (answer.status >= 300) problems.push(`${answer.status} ${answer.text}`);
    else if (rule.shows) {
      const shown = rule.read ? rule.read(answer.body) : answer.body.id;
      if (shown !== rule.shows(objects)) problems.push(`shows ${shown}`);
    }
    return { answer, problems };
  }
  const [status, code] = statusByOutcome[outcome];
  if (answer.status !== status || answer.body.error?.code !== code) {
    problems.push(`${answer.status} instead of ${status}: ${answer.text.slice(0, 200)}`);
  }
  if (answer.text.includes(SECRET_WORD)) problems.push(`reveals a name: ${answer.text}`);
  if (outcome === 'hidden' && missing && answer.text !== replaceMissingIds(missing.text, objects)) {
    problems.push(
      `differs from the response for a missing one: ${answer.text} / ${replaceMissingIds(missing.text, objects)}`,
    );
  }
  if (outcome === 'hidden' && missing && credential === 'session') {
    for (const conditional of [{ 'If-None-Match': '*' }, { 'If-Match': '*' }]) {
      if ((await sendRequest(conditional)).text !== answer.text)
        problems.push(`can be detected with ${Object.keys(conditional)}`);
    }
  }
  const writes = writeLog.takeWrites();
  if (writes.length > 0) problems.push(`rejected, and wrote ${writes.join('; ')}`);
  return { answer, problems };
}

/** Replaces the ids of the missing objects in the text with the ids of `objects`. */
function replaceMissingIds(text: string, objects: ObjectSet): string {
  const { belongings, relation: _relation, ...ids } = objects;
  const { belongings: none, relation: _none, ...missing } = MISSING;
  const pairs = [...pairValues(missing, ids), ...pairValues(none, belongings)];
  return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

function pairValues<T extends object>(from: T, to: T): [string, string][] {
  return Object.keys(from).map((key) => [String(from[key as keyof T]), String(to[key as keyof T])]);
}

describe('access by role, relation and credential', () => {
  it('is defined for every operation that requires a credential', () => {
    const known = new Set(rules.map((rule) => rule.route));
    const guarded = routes.filter((route) => route.operation.access !== 'public');
    expect(guarded.map(getRouteName).filter((name) => !known.has(name))).toEqual([]);
  });

  it.for(rules.map((rule) => [`${rule.route} ${rule.variant ?? ''}`.trim(), rule] as const))(
    'follows the rules for every caller (%s)',
    async ([, rule], { task }) => {
      const wrong: string[] = [];
      let cells = 0;
      for (const [index, caller] of world.callers.entries()) {
        for (const credential of pickCredentials(rules.indexOf(rule) + index)) {
          let missing: ApiResponse | null = null;
          for (const objects of listObjectSets(caller, rule)) {
            const { answer, problems } = await compareWithOracle(rule, caller, credential, objects, missing);
            if (objects === MISSING) missing = answer;
            const name = `${caller.actor.name}, ${objects.relation}, ${credential}`;
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
