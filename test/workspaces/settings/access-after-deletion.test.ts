import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { scopes } from '../../../src/kernel/access/access.ts';
import { invitePeople } from '../../../src/workspaces/invitations/invite.ts';
import { deleteWorkspace } from '../../../src/workspaces/settings/delete-workspace.ts';
import { grantToken } from '../../contract/requests.ts';
import { runObjectDeletion } from '../../files/attachments/object-deletion.ts';
import { openFilledSession } from '../../files/uploads/uploading.ts';
import { callTool } from '../../mcp/client.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { HANG_MS } from '../../support/timeout.ts';
import { createApiKey, createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { createWebhook, deliverAll, openReceiver, openReceivers } from '../../webhooks/delivery/receivers.ts';

beforeAll(() => void openReceivers());
afterAll(() => vi.restoreAllMocks());

/** Creates credentials, links and connections of every kind, each with a function that checks whether it works. */
async function createAccessChecks(world: World) {
  const { owner, member } = world.people;
  const key = await createApiKey(member);
  const oauth = await grantToken(world, member, scopes);
  const screens = await WorkspaceBrowser.signIn(world, member);
  const receiver = openReceiver();
  await createWebhook(member.token, receiver.url);
  await screens.send('/calendar', '/calendar/address');
  const feed = /id="feed"[^>]* value="([^"]+)"/.exec((await screens.open('/calendar')).html)?.[1] ?? '';
  const task = await createTask(member, world.projects.joined.id, { name: 'Zyzzyva' });
  const session = await openFilledSession(member, { taskId: task.id });
  const { body: file } = await api(member.token).post(`/chunked-upload/complete/${session}`);
  const email = createEmailAddress();
  await runForm(owner.token, invitePeople, { email, role: 'member', projectIds: [] });
  const invitation = await readMailedToken(email, 'invitation');
  const { webSocket: socket } = await screens.browser.request(`${screens.base}/live`, {
    headers: { Upgrade: 'websocket', Origin: ORIGIN },
  });
  const live = { messages: 0, isClosed: false };
  socket?.addEventListener('message', () => {
    live.messages += 1;
  });
  socket?.addEventListener('close', () => {
    live.isClosed = true;
  });
  socket?.accept();
  const isSuccessful = async (answer: Promise<{ status: number }>) => (await answer).status < 300;
  const ways = {
    session: () => isSuccessful(api(member.token).get('/me')),
    key: () => isSuccessful(api(key).get('/tasks')),
    'OAuth token': () => isSuccessful(api(oauth).get('/tasks')),
    tool: async () => (await callTool(oauth, 'get_me').catch(() => null)) !== null,
    events: () => isSuccessful(api(key).get('/events?after=0')),
    download: () => isSuccessful(api(key).get(`/tasks/${task.id}/attachments/${file.id}/download`)),
    page: async () => (await screens.open('')).status === 200,
    socket: () => isSocketAdmitted(screens),
    calendar: () => isSuccessful(send(new Request(unescapeHtml(feed)))),
    invitation: async () =>
      (await (await send(new Request(`${ORIGIN}/invitation?token=${invitation}`))).text()).includes('Join'),
  };
  return { ways, receiver, socket, live, email };
}

/** Every socket opens, but only those that the hub admits receive a message. */
async function isSocketAdmitted({ base, browser }: WorkspaceBrowser): Promise<boolean> {
  const headers = { Upgrade: 'websocket', Origin: ORIGIN };
  const { webSocket } = await browser.request(`${base}/live`, { headers });
  if (!webSocket) return false;
  const admitted = Promise.withResolvers<boolean>();
  webSocket.addEventListener('message', () => admitted.resolve(true));
  webSocket.addEventListener('close', () => admitted.resolve(false));
  webSocket.accept();
  const isOpen = await admitted.promise;
  webSocket.close();
  return isOpen;
}

async function listSuccessfulChecks(ways: Record<string, () => Promise<boolean>>): Promise<string[]> {
  const open = [];
  for (const [name, isOpen] of Object.entries(ways)) if (await isOpen()) open.push(name);
  return open;
}

it('deleting a workspace ends all access with the next request, and later deletes its contents', async () => {
  const world = await createWorld({ cell: 0 });
  const { owner, client } = world.people;
  const { ways, receiver, socket, live, email } = await createAccessChecks(world);
  expect(await listSuccessfulChecks(ways)).toEqual(Object.keys(ways));
  await deliverAll(world);
  const received = receiver.messages.length;

  const name = await getCell(0)
    .prepare('SELECT name FROM workspaces WHERE no = ?')
    .bind(world.no)
    .first<string>('name');
  expect((await runForm(owner.token, deleteWorkspace, { name })).status).toBe(200);
  expect(await listSuccessfulChecks(ways)).toEqual([]);
  await deliverAll(world);
  expect(receiver.messages.length).toBe(received);
  await vi.waitUntil(() => live.isClosed, { timeout: HANG_MS, interval: 20 });
  socket?.close();

  // A trigger keeps the newest task of a cell. With a newer task in another workspace, all tasks here can be deleted.
  const other = await createWorld({ cell: 0 });
  await createTask(other.people.owner, other.projects.other.id);
  const countPendingDeletions = () =>
    getCell(0).prepare('SELECT count(*) AS n FROM workspace_deletions').first('n');
  for (let minutes = 0; minutes < 6 && (await countPendingDeletions()) !== 0; minutes += 1)
    await runCron('* * * * *');
  await runObjectDeletion();
  // Emails are kept for seven days, so they aren't part of this test.
  await env.DIRECTORY.prepare('DELETE FROM outbox').run();
  const rows = Object.entries(await readAllContents()).filter(([table]) => table.startsWith('cell'));
  const holding = rows.flatMap(([table, each]) =>
    each.some((row) => [client.email, email, 'Zyzzyva', String(name)].some((text) => row.includes(text)))
      ? [table]
      : [],
  );
  expect(holding).toEqual([]);
});
