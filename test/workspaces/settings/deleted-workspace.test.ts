// Tests every route of the Worker for members of a workspace that was deleted.
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { scopes } from '../../../src/kernel/access/access.ts';
import { csvFiles, forms, screens } from '../../../src/web/pages/screens.ts';
import { invitePeople } from '../../../src/workspaces/invitations/invite.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { deleteWorkspace } from '../../../src/workspaces/settings/delete-workspace.ts';
import {
  buildRequestBody,
  buildRequestHeaders,
  fillPath,
  getRouteName,
  grantToken,
  guardedRoutes,
} from '../../contract/requests.ts';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { openFilledSession } from '../../files/uploads/uploading.ts';
import { readFormFields, unescapeHtml } from '../../oauth/flow.ts';
import { createForm, createLink } from '../../sharing/share.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import {
  addPerson,
  createApiKey,
  createTask,
  createWorld,
  type Person,
  type World,
} from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

/** Routes without workspace content, and routes whose session or emailed link gives access only to an account. */
const routesWithoutWorkspace = [
  /^\/\*?$/,
  /^\/(v1\/\*|v1\/auth\/(login|register)|mcp|openapi\.json|health|offline|speculation-rules\.json|dev\/outbox)$/,
  /^\/(docs|llms|assets|fonts|icon|favicon|robots|styles|scripts|\.well-known|api\/oauth)\b/,
  /^\/(sign-in|sign-up|sign-out|forgot-password|reset-password|verify-email|confirm-email|unsubscribe)\b/,
  /^\/(account|connected-apps|appearance)\b/,
  // The operator page requires the OPERATOR_KEY, and shows no workspace content.
  /^\/operator\b/,
  /^\/app(\/workspaces|\/\*)?$/,
  // Profile pictures belong to accounts.
  /^\/pictures\/:id$/,
];
/** Routes that show workspace content without a credential. Tests below cover each of them. */
const routesWithoutCredential = [
  '/downloads/*',
  '/calendar/:feed',
  '/invitation',
  '/shared/:secret',
  '/shared/:secret/tasks/:id',
  '/intake/:secret',
  '/intake/:secret/sent',
];
const routesWithCredential = ['/files/*'];

const fetchWithToken = (url: string, token?: string) =>
  send(new Request(url, { redirect: 'manual', headers: token ? { Authorization: `Bearer ${token}` } : {} }));

async function listUrls(world: World, person: Person) {
  const { owner } = world.people;
  const task = await createTask(owner, world.projects.joined.id);
  const { body: file } = await confirmUpload(owner, task.id, {
    s3Key: await presignAndUpload(owner, task.id),
  });
  const session = await openFilledSession(person, { projectId: world.projects.joined.id });
  const { body: projectFile } = await api(person.token).post(`/chunked-upload/complete/${session}`);
  const getLink = async (path: string) =>
    (await api(person.token).get(`${path}/download`)).body.url as string;
  const downloads = [
    await getLink(`/tasks/${task.id}/attachments/${file.id}`),
    await getLink(`/projects/${world.projects.joined.id}/attachments/${projectFile.id}`),
  ];
  const screens = await WorkspaceBrowser.signIn(world, person);
  await screens.send('/calendar', '/calendar/address');
  const feed = /id="feed"[^>]* value="([^"]+)"/.exec((await screens.open('/calendar')).html)?.[1] ?? '';
  const projectId = world.projects.joined.id;
  const { address: link } = await createLink(person, { projectId });
  const { address: form } = await createForm(person, projectId);
  const shared = [link, `${link}/tasks/${task.id}`, form, `${form}/sent`];
  const email = createEmailAddress();
  await runForm(owner.token, invitePeople, { email, role: 'member', projectIds: [] });
  const invitation = `${ORIGIN}/invitation?token=${await readMailedToken(email, 'invitation')}`;
  return {
    screens,
    downloads,
    fileUrl: file.fileUrl as string,
    open: [...downloads, unescapeHtml(feed), invitation, ...shared],
  };
}

it('every route of the worker is covered by the tests for deleted workspaces', () => {
  const paths = new Set(createApp().routes.map(({ path }) => path));
  const own = [...paths].filter((path) => !/^\/v1\/(?!\*)/.test(path) && !path.startsWith('/app/:workspace'));
  const known = [...routesWithoutCredential, ...routesWithCredential];
  expect(
    own.filter((path) => !known.includes(path) && !routesWithoutWorkspace.some((each) => each.test(path))),
  ).toEqual([]);
  for (const path of known) expect(own).toContain(path);
});

describe('after a workspace is deleted', () => {
  let world: World;
  let last: Person;
  let addresses: Awaited<ReturnType<typeof listUrls>>;
  let bearers: string[];

  beforeAll(async () => {
    world = await createWorld();
    // Deleting a workspace updates the directory only for the first few memberships, so the directory still lists the
    // last person until the cron job runs.
    for (let n = 0; n < 4; n += 1) last = await addPerson(world, `late ${n}`, 'admin');
    addresses = await listUrls(world, last);
    bearers = [last.token, await createApiKey(last), await grantToken(world, last, scopes)];
    for (const url of addresses.open) expect([url, (await fetchWithToken(url)).status]).toEqual([url, 200]);
    for (const token of bearers) expect((await fetchWithToken(addresses.fileUrl, token)).status).toBe(302);
    expect((await addresses.screens.open('')).status).toBe(200);
    const name = await getCell(0)
      .prepare('SELECT name FROM workspaces WHERE no = ?')
      .bind(world.no)
      .first('name');
    expect((await runForm(world.people.owner.token, deleteWorkspace, { name })).status).toBe(200);
  });

  it('every route that requires a credential returns 401 to session tokens, API keys and OAuth tokens', async () => {
    for (const token of bearers) {
      for (const route of guardedRoutes) {
        const answer = await api(token).call(
          route.method,
          fillPath(route),
          buildRequestBody(route),
          buildRequestHeaders(route),
        );
        expect([getRouteName(route), answer.status]).toEqual([getRouteName(route), 401]);
      }
      expect((await fetchWithToken(addresses.fileUrl, token)).status).toBe(401);
      const tools = await send(
        new Request(`${ORIGIN}/mcp`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
          body: '{}',
        }),
      );
      expect(tools.status).toBe(401);
    }
  });

  it('every URL with workspace content returns 404 without a credential', async () => {
    for (const url of [...addresses.open, addresses.fileUrl]) {
      expect([url, (await fetchWithToken(url)).status]).toEqual([url, 404]);
    }
  });

  it.each([
    ['a person whom the directory no longer lists', () => world.people.owner],
    ['a person whom the directory still lists', () => last],
  ])('every page, file and form returns 404 to %s', async (_who, who) => {
    const visitor = who() === last ? addresses.screens : await WorkspaceBrowser.signIn(world, who());
    const { csrf = '' } = readFormFields(await (await visitor.browser.get('/sign-out')).text(), '/sign-out');
    for (const { path } of [...screens, ...csvFiles]) {
      const { status } = await visitor.open(path.replace(/:\w+/g, '1'));
      expect([path, status]).toEqual([path, 404]);
    }
    for (const { path } of forms) {
      const { status } = await visitor.post(path.replace(/:\w+/g, '1'), { csrf, once: crypto.randomUUID() });
      expect([path, status]).toEqual([path, 404]);
    }
  });
});

describe('a download URL', () => {
  it('expires when the person who requested it leaves the workspace, but not when other people leave', async () => {
    const world = await createWorld({ cell: 1 });
    const { owner, member } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id);
    const { body: file } = await confirmUpload(owner, id, { s3Key: await presignAndUpload(owner, id) });
    const getLink = async ({ token }: Person) =>
      (await api(token).get(`/tasks/${id}/attachments/${file.id}/download`)).body.url as string;
    const [theirs, mine] = [await getLink(member), await getLink(owner)];
    expect((await fetchWithToken(theirs)).status).toBe(200);
    expect((await runForm(owner.token, removePerson, { userId: member.userId })).status).toBe(200);
    expect((await fetchWithToken(theirs)).status).toBe(404);
    expect((await fetchWithToken(mine)).status).toBe(200);
    const stolen = new URL(theirs);
    stolen.searchParams.set('member', new URL(mine).searchParams.get('member') ?? '');
    expect((await fetchWithToken(stolen.href)).status).toBe(403);
  });
});
