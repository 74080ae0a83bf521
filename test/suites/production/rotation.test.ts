import { expect, it } from 'vitest';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createIpAddress, PASSWORD, setPassword } from '../../support/people.ts';
import { createSessionToken, createWorkspace } from '../../support/world.ts';

const NEW_SECRET = 'the-next-one-0123456789-0123456789';
const OLD_SECRET = env.SESSION_SECRET;
const variablesDuringRotation = { SESSION_SECRET: NEW_SECRET, SESSION_SECRET_PREVIOUS: OLD_SECRET };
const variablesAfterRotation = { SESSION_SECRET: NEW_SECRET };

// In production, an isolate's secret never changes, so isolates cache callers. This test changes the secret within an
// isolate, so it uses each token with only one secret.
it('session tokens signed with the previous secret are accepted while it is configured, and rejected afterward', async () => {
  const workspace = await createWorkspace();
  const { userId } = workspace.people.member;
  const first = await createSessionToken(workspace, userId, Date.now() - 1000);
  const second = await createSessionToken(workspace, userId, Date.now() - 2000);
  expect((await api(first, variablesDuringRotation).get('/me')).status).toBe(200);
  expect((await api(second, variablesAfterRotation).get('/me')).status).toBe(401);
});

it('session tokens issued during a rotation are signed with the new secret and stay valid afterward', async () => {
  const workspace = await createWorkspace();
  const { userId } = workspace.people.member;
  const old = await createSessionToken(workspace, userId);
  const issued = await api(old, variablesDuringRotation).post('/auth/refresh');
  expect(issued.status).toBe(200);
  expect((await api(issued.body.token, variablesAfterRotation).get('/me')).status).toBe(200);
});

it('session tokens signed with the next secret are accepted before the rotation if that secret is configured', async () => {
  const workspace = await createWorkspace();
  const old = await createSessionToken(workspace, workspace.people.member.userId, Date.now() - 3000);
  const { body } = await api(old, variablesDuringRotation).post('/auth/refresh');
  const announced = { SESSION_SECRET: OLD_SECRET, SESSION_SECRET_PREVIOUS: NEW_SECRET };
  expect((await api(body.token, announced).get('/me')).status).toBe(200);
});

it('expired session tokens are rejected even during a rotation', async () => {
  const workspace = await createWorkspace();
  const expired = await createSessionToken(
    workspace,
    workspace.people.member.userId,
    Date.now() - 8 * 86_400_000,
  );
  expect((await api(expired, variablesDuringRotation).get('/me')).status).toBe(401);
});

it('browsers stay signed in after a rotation, and forms opened before it are accepted while the previous secret is configured', async () => {
  const { people } = await createWorkspace();
  await setPassword(people.member.userId);
  const browser = new TestBrowser();
  const form = readFormFields(await (await browser.get('/sign-in')).text());
  const body = new URLSearchParams({ ...form, email: people.member.email, password: PASSWORD });
  const postSignIn = (variables: Partial<Env>) =>
    browser.request(
      '/sign-in',
      { method: 'POST', body, headers: { Origin: ORIGIN, 'CF-Connecting-IP': createIpAddress() } },
      variables,
    );
  expect((await postSignIn(variablesAfterRotation)).status).toBe(403);
  expect((await postSignIn(variablesDuringRotation)).status).toBe(303);
  // The cookie is a random id that is stored in the directory, so it isn't signed with a secret.
  expect((await browser.request('/connected-apps', {}, variablesAfterRotation)).status).toBe(200);
});

it('a GitHub sign-in that started before a rotation can finish during the rotation, but not afterward', async () => {
  const provider = { GITHUB_CLIENT_ID: 'github-id', GITHUB_CLIENT_SECRET: 'github-secret' };
  const signInAgain = async (variables: Partial<Env>) => {
    const browser = new TestBrowser();
    const away = await browser.get('/sign-in/github', provider);
    const state = new URL(away.headers.get('Location') ?? '').searchParams.get('state');
    const query = new URLSearchParams({ error: 'access_denied', state: state ?? '' });
    await browser.get(`/sign-in/github/callback?${query}`, { ...provider, ...variables });
    return browser.cookies.has('__Host-ew_social');
  };
  // The callback deletes the cookie only if the cookie is accepted.
  expect(await signInAgain(variablesAfterRotation)).toBe(true);
  expect(await signInAgain(variablesDuringRotation)).toBe(false);
});
