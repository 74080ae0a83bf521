import { beforeAll, expect, it } from 'vitest';
import { scopes } from '../../src/kernel/access/access.ts';
import { tools } from '../../src/registry.ts';
import { ORIGIN } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { buildMessage, createOAuthToken, eras, post, sendRequest } from './client.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

it.each(scopes)(
  'a token without %s gets 403 from every tool that requires it, even for invalid arguments',
  async (scope) => {
    const rest = await createOAuthToken(
      world,
      world.people.owner,
      scopes.filter((each) => each !== scope),
    );
    const alone = await createOAuthToken(world, world.people.owner, [scope]);
    for (const { name, access } of tools) {
      for (const era of eras) {
        const nonsense = { name, arguments: { nonsense: true } };
        const [lacking, having] = access === scope ? [rest, alone] : [alone, rest];
        const rejected = await sendRequest(era, lacking, 'tools/call', nonsense);
        expect(rejected.status, `${name} ${era}`).toBe(403);
        expect(rejected.headers.get('WWW-Authenticate'), name).toBe(
          `Bearer error="insufficient_scope", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp", scope="${access}"`,
        );
        expect(await rejected.json(), name).toMatchObject({ error: { code: 'forbidden' } });
        const served = await sendRequest(era, having, 'tools/call', nonsense);
        expect(served.status, `${name} ${era}`).toBe(200);
        expect(await served.json(), name).toMatchObject({ result: { isError: true } });
      }
    }
  },
);

it('a batch of calls gets an error that lists all missing scopes', async () => {
  const token = await createOAuthToken(world, world.people.owner, ['tasks:read']);
  const body = ['find_tasks', 'create_task', 'get_me'].map((name, id) =>
    buildMessage('tools/call', { name }, id),
  );
  const rejected = await post(token, body);
  expect(rejected.status).toBe(403);
  expect(rejected.headers.get('WWW-Authenticate')).toContain('scope="tasks:write profile:read"');
});

it('any token can list the tools', async () => {
  const token = await createOAuthToken(world, world.people.client, ['time:read']);
  for (const era of eras) expect((await sendRequest(era, token, 'tools/list')).status).toBe(200);
});
