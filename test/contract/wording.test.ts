/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { restErrorWords, routes, tools } from '../../src/registry.ts';
import { formOperations } from '../support/operations.ts';

const sources = import.meta.glob<string>('../../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const findMatches = (pattern: RegExp) =>
  Object.entries(sources).flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map((match) => ({ path: path.replace('../../', ''), name: match[1] ?? '' })),
  );

describe('an error message that suggests an action', () => {
  it('refers to an operation that exists', () => {
    const called = findMatches(/\bcall\('(\w+)'/g);
    // Messages can also refer to operations that only forms run.
    const known = new Set(
      [...routes.map(({ operation }) => operation), ...formOperations].map(({ name }) => name),
    );
    expect(called.length).toBeGreaterThan(20);
    for (const { path, name } of called) expect(known.has(name), `${path} calls ${name}`).toBe(true);
  });

  it('contains no hard-coded endpoint path', () => {
    const written = [
      ...new Set(findMatches(/\b(GET|POST|PATCH|PUT|DELETE) \/v1\//g).map(({ path }) => path)),
    ];
    // In register.ts, the path is part of a response body that only REST returns.
    const notAnError = ['src/accounts/sign-up/register.ts'];
    expect(written.filter((path) => !path.startsWith('src/kernel/')).sort()).toEqual(notAnError);
  });

  it('contains the method, path and query of the suggested request over REST', () => {
    expect(restErrorWords.call('listTaskTypes', { categoryId: 3 })).toBe('GET /v1/task-types?categoryId=3');
    expect(restErrorWords.call('unarchiveTask', { id: 7 })).toBe('POST /v1/tasks/7/unarchive');
    expect(restErrorWords.call('uploadChunk')).toBe('POST /v1/chunked-upload/chunk/{sessionId}/{partNumber}');
  });

  it('names only operations and fields that exist over MCP', () => {
    const known = new Set(routes.map(({ operation }) => operation.name));
    const covered = tools.flatMap(({ covers = {} }) => Object.keys(covers));
    expect(new Set(covered).size).toBe(covered.length);
    for (const name of covered) expect(known.has(name), name).toBe(true);
    for (const { name, fields = {}, input } of tools) {
      for (const [from, to] of Object.entries(fields)) {
        const taken = listNames(z.toJSONSchema(input, { io: 'input' }));
        expect(taken.has(to), `${name} has no ${to}`).toBe(true);
        expect(taken.has(from), `${name} takes ${from} by itself`).toBe(false);
      }
    }
  });
});

function listNames(schema: unknown): Set<string> {
  if (schema === null || typeof schema !== 'object') return new Set();
  const { properties = {} } = schema as { properties?: object };
  return new Set([
    ...Object.keys(properties),
    ...Object.values(schema).flatMap((part) => [...listNames(part)]),
  ]);
}

it("permission checks use the capability table, never the caller's role", () => {
  expect(findMatches(/\b(?:caller|ctx\.caller|visit\.caller)\.role *(===|!==)/g)).toEqual([]);
});

it('outside the capability table, only the listed files compare roles', () => {
  const compared = findMatches(
    /\brole\b`?\)? *(?:===|!==|<>|=|IN)\s*\(?(['"](?:owner|admin|lead|member|client)['"])/g,
  );
  // Roles in a team and other people's roles are data, not permissions of the caller.
  expect([...new Set(compared.map(({ path }) => path))].sort()).toEqual([
    'src/projects/operations/change-projects.ts',
    'src/projects/operations/project-people.ts',
    'src/web/pages/bots/bot.view.tsx',
    'src/web/pages/people/people.view.tsx',
    'src/web/pages/project-settings/project-settings.view.tsx',
    'src/web/pages/teams/teams.view.tsx',
    'src/workspaces/bots/bots.ts',
    'src/workspaces/people/change-role.ts',
    'src/workspaces/people/people.policy.ts',
    'src/workspaces/people/remove-person.ts',
    'src/workspaces/teams/team-people.ts',
  ]);
});
