import { beforeAll, describe, expect, it } from 'vitest';
import { listRequiredScopes } from '../../src/kernel/access/access.ts';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { routes, tools } from '../../src/registry.ts';
import { forms } from '../../src/web/pages/screens.ts';
import { runForAccount, signIn } from '../support/accounts.ts';
import { env, getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { formOperations, unroutedOperations } from '../support/operations.ts';
import { readAllContents } from '../support/stored-contents.ts';
import { createApiKey, createWorld, type World } from '../support/world.ts';
import { grantToken } from './requests.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const toNamedCases = (operations: readonly AnyOperation[]) =>
  operations.map((each) => [each.name, each] as const);
const workspaceForms = toNamedCases(formOperations.filter(({ access }) => access === 'session'));
const accountForms = toNamedCases(formOperations.filter(({ access }) => access === 'account'));

describe('operations that only the web app uses', () => {
  it('have unique names, and neither a REST route nor an MCP tool', () => {
    const elsewhere = [...routes.map(({ operation }) => operation.name), ...tools.map(({ name }) => name)];
    const names = formOperations.map(({ name }) => name);
    expect(names.filter((name) => elsewhere.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('require a session, an account or no credential, but never a scope', () => {
    const unrouted = forms.filter(({ operation }) => unroutedOperations.includes(operation));
    const others = unrouted.filter(({ operation }) => listRequiredScopes(operation.access).length > 0);
    expect(others.map(({ name }) => name)).toEqual([]);
    expect(workspaceForms.length).toBeGreaterThanOrEqual(30);
    expect(accountForms.length).toBeGreaterThan(8);
  });
});

describe.each(workspaceForms)('the operation %s', (_name, operation) => {
  it('rejects API keys and app tokens, and writes nothing', async () => {
    const { owner } = world.people;
    const tokens = [await createApiKey(owner), await grantToken(world, owner, ['tasks:write'])];
    // The first use of a key writes its last-used time, so each key is used once before the contents are compared.
    for (const token of tokens) await runForm(token, operation, {});
    const before = await readAllContents();
    for (const token of tokens) expect((await runForm(token, operation, {})).status).toBe(403);
    expect(await readAllContents()).toEqual(before);
  });

  it('rejects former members and invalid credentials, and writes nothing', async () => {
    const { people } = await createWorld();
    const { client } = people;
    await getCell(0)
      .prepare('UPDATE members SET ended_at = 1, is_settled = 1 WHERE no = ?')
      .bind(client.member)
      .run();
    const before = await readAllContents();
    for (const token of [client.token, 'ew_live_nonsense', `${people.owner.token}x`]) {
      expect((await runForm(token, operation, {})).status).toBe(401);
    }
    expect(await readAllContents()).toEqual(before);
  });
});

describe.each(accountForms)('the account operation %s', (_name, operation) => {
  it('rejects a signed-out browser, and writes nothing', async () => {
    const browser = await signIn(world.people.member.userId);
    await env.DIRECTORY.prepare('DELETE FROM browser_sessions WHERE id_hash = ?').bind(browser.session).run();
    const before = await readAllContents();
    const { status } = await runForAccount(browser, operation, inputs[operation.name] ?? {});
    expect(status).toBe(401);
    expect(await readAllContents()).toEqual(before);
  });
});

/** Valid inputs for operations that reject an empty input. */
const inputs: Record<string, Record<string, unknown>> = {
  acceptInvitation: { token: 'ew_inv_nonsense' },
  changeName: { name: 'New' },
  changePassword: { newPassword: 'a password to come' },
  requestEmailChange: { email: 'new@example.com' },
  setPicture: { bytes: new Uint8Array([0xff, 0xd8, 0xff]) },
  signOutBrowserById: { id: 'x' },
  createWorkspace: { name: 'Another' },
  createOwnApp: { name: 'App', redirectUris: 'https://app.example/callback' },
  updateOwnApp: { id: 'x' },
  deleteOwnApp: { id: 'x' },
  deleteAccount: { email: 'somebody@example.com' },
};
