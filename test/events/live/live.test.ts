// This file is long because its tests share the functions that open sockets and read messages.
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getWorkspaceHub } from '../../../src/kernel/operation/request-scope.ts';
import { updateProject } from '../../../src/projects/operations/change-projects.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { createFaultyD1 } from '../../suites/faults/faulty-d1.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { pollUntil } from '../../support/timeout.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

interface LiveMessage {
  seq: number;
  projects?: number[];
  tasks?: number[];
  pages: number;
}

/** An open page with its messages. `closed` is the close code of its socket, or null while the socket is open. */
interface ConnectedPage {
  /** The first message, or null before the hub has admitted the page. */
  admission: LiveMessage | null;
  messages: LiveMessage[];
  closed: number | null;
  screens: WorkspaceBrowser;
}

const openSockets: WebSocket[] = [];
/** Sockets that are accepted only after the test. */
const unreadSockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of unreadSockets.splice(0)) {
    socket.accept();
    openSockets.push(socket);
  }
  for (const socket of openSockets.splice(0)) socket.close();
});

async function connectSocket(screens: WorkspaceBrowser, headers: Record<string, string> = {}) {
  return screens.browser.request(`${screens.base}/live`, {
    headers: { Upgrade: 'websocket', Origin: ORIGIN, ...headers },
  });
}

async function connectPage(world: World, person: Person): Promise<ConnectedPage> {
  const page = await openPage(await WorkspaceBrowser.signIn(world, person));
  await pollUntil(() => page.admission !== null);
  return page;
}

async function openPage(screens: WorkspaceBrowser): Promise<ConnectedPage> {
  const { webSocket: socket, status } = await connectSocket(screens);
  if (!socket) throw new Error(`no socket, ${status}`);
  const page: ConnectedPage = { admission: null, messages: [], closed: null, screens };
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return;
    const message: LiveMessage = JSON.parse(String(data));
    if (page.admission === null) page.admission = message;
    else page.messages.push(message);
  });
  socket.addEventListener('close', ({ code }) => {
    page.closed = code;
  });
  socket.accept();
  openSockets.push(socket);
  return page;
}

/** Opens pages in a browser that never reads its sockets, so it never confirms that they were closed. */
async function openUnreadPages(world: World, person: Person, pages: number): Promise<WorkspaceBrowser> {
  const screens = await WorkspaceBrowser.signIn(world, person);
  for (let page = 0; page < pages; page += 1) {
    const { webSocket: socket } = await connectSocket(screens);
    if (socket) unreadSockets.push(socket);
  }
  return screens;
}

async function signOut({ browser }: WorkspaceBrowser) {
  // Opening this page renews the cookie, but the socket still belongs to the old session.
  const html = await (await browser.get('/app/workspaces')).text();
  expect((await browser.post('/sign-out', readHiddenFields(html, '/sign-out'))).status).toBe(303);
}

it('the workspace hub sends the ids of changed projects and tasks to every open page, but no contents', async () => {
  const world = await createWorld();
  const { owner, member, lead } = world.people;
  const [one, other] = [await connectPage(world, owner), await connectPage(world, member)];
  await createTask(lead, world.projects.joined.id, { name: 'secret name' });
  await pollUntil(() => one.messages.length > 0 && other.messages.length > 0);
  const { id } = await createTask(lead, world.projects.other.id);
  await pollUntil(() => one.messages.at(-1)?.seq === 2);
  expect(one.messages.at(-1)).toEqual({
    seq: 2,
    projects: [world.projects.other.id],
    tasks: [id],
    pages: 2,
    slot: expect.any(Number),
  });
  expect(JSON.stringify([...one.messages, ...other.messages])).not.toContain('secret name');
});

it('a message about a blocking task also contains the ids of the tasks that it blocks, even in other projects', async () => {
  const world = await createWorld();
  const { owner, lead } = world.people;
  const { joined, other } = world.projects;
  const blocker = await createTask(lead, joined.id);
  const blocked = await createTask(lead, other.id);
  const page = await connectPage(world, owner);
  const path = `/tasks/${blocked.id}/relations`;
  const { body } = await api(lead.token).post(path, { type: 'blocked_by', taskId: blocker.id });
  await pollUntil(() => page.messages.length === 1);
  await api(lead.token).patch(`/tasks/${blocker.id}`, { status: 'completed' });
  await pollUntil(() => page.messages.length === 2);
  await api(lead.token).delete(`${path}/${body.id}`);
  await pollUntil(() => page.messages.length === 3);
  await api(lead.token).patch(`/tasks/${blocker.id}`, { status: 'todo' });
  await pollUntil(() => page.messages.length === 4);
  const both = [
    [blocker.id, blocked.id],
    [joined.id, other.id],
  ];
  const sortIds = (ids: readonly number[] = []) => ids.toSorted((one, another) => one - another);
  const named = page.messages.map(({ tasks, projects }) => [sortIds(tasks), sortIds(projects)]);
  const bothSorted = both.map(sortIds);
  expect(named).toEqual([bothSorted, bothSorted, bothSorted, [[blocker.id], [joined.id]]]);
});

it('a message to a client contains no task ids, and only ids of projects that the client can see', async () => {
  const world = await createWorld();
  const { client, owner, lead } = world.people;
  const page = await connectPage(world, client);
  await createTask(lead, world.projects.joined.id);
  await pollUntil(() => page.messages.length === 1);
  await createTask(owner, world.projects.other.id);
  await pollUntil(() => page.messages.length === 2);
  expect(JSON.stringify(page.messages)).not.toContain(String(world.projects.other.id));
  expect(page.messages.map(({ tasks }) => tasks)).toEqual([undefined, undefined]);
});

it("a timer change notifies only the pages of the timer's owner", async () => {
  const world = await createWorld();
  const { owner, lead } = world.people;
  const { id } = await createTask(lead, world.projects.joined.id);
  const [own, foreign] = [await connectPage(world, lead), await connectPage(world, owner)];
  await createTask(lead, world.projects.joined.id);
  await pollUntil(() => own.messages.length === 1 && foreign.messages.length === 1);
  await api(lead.token).post('/timer/start', { taskId: id });
  await pollUntil(() => own.messages.length === 2);
  await createTask(lead, world.projects.joined.id);
  await pollUntil(() => foreign.messages.length === 2);
  expect(foreign.messages.map(({ seq }) => seq)).toEqual([2, 4]);
  expect(own.messages[1]?.tasks).toBeUndefined();
});

it('a message about a renamed project contains no task ids, so every task page of the project refreshes', async () => {
  const world = await createWorld();
  const { owner, lead } = world.people;
  const page = await connectPage(world, owner);
  const { id: task } = await createTask(lead, world.projects.joined.id);
  await pollUntil(() => page.messages.length === 1);
  await runForm(owner.token, updateProject, { id: world.projects.joined.id, name: 'Renamed' });
  await pollUntil(() => page.messages.length === 2);
  expect(page.messages.map(({ tasks }) => tasks)).toEqual([[task], undefined]);
});

it.each(['signed out', 'removed', 'given another role'])(
  'the workspace hub sends nothing more to a person who was %s, and closes their socket',
  async (what) => {
    const world = await createWorld();
    const { client, lead } = world.people;
    const page = await connectPage(world, client);
    const updateMember = (set: string) =>
      getCell(world.cell).prepare(`UPDATE members SET ${set} WHERE no = ?`).bind(client.member).run();
    if (what === 'signed out') await signOut(page.screens);
    if (what === 'removed') await updateMember('ended_at = 1');
    if (what === 'given another role') await updateMember("role = 'member'");
    await createTask(lead, world.projects.joined.id);
    await pollUntil(() => page.closed !== null);
    expect(page.closed).toBe(4001);
    expect(page.messages).toEqual([]);
  },
);

it('the workspace hub keeps at most 30 pages per person open, and closes one with code 4008 if another opens', async () => {
  const world = await createWorld();
  const screens = await WorkspaceBrowser.signIn(world, world.people.member);
  const codes: number[] = [];
  for (let page = 0; page < 31; page += 1) {
    const { webSocket: socket } = await connectSocket(screens);
    socket?.addEventListener('close', ({ code }) => codes.push(code));
    socket?.accept();
    if (socket) openSockets.push(socket);
  }
  await pollUntil(() => codes.length > 0);
  expect(codes).toEqual([4008]);
});

it('the workspace hub rejects requests that are plain HTTP, unauthenticated, cross-site, or for another workspace', async () => {
  const world = await createWorld();
  const elsewhere = await createWorld();
  const screens = await WorkspaceBrowser.signIn(world, world.people.member);
  expect((await connectSocket(new WorkspaceBrowser(world))).status).toBe(401);
  expect((await connectSocket(screens, { Origin: 'https://evil.example' })).status).toBe(403);
  const foreign = new WorkspaceBrowser(elsewhere);
  Object.assign(foreign, { browser: screens.browser });
  expect((await connectSocket(foreign)).status).toBe(404);
  expect((await connectSocket(screens, { Upgrade: '' })).status).toBe(426);
});

it('the workspace hub keeps notifying other pages if a browser never confirms closed sockets', async () => {
  const world = await createWorld();
  const { owner, member, lead } = world.people;
  const before = await connectPage(world, owner);
  await openUnreadPages(world, member, 40);
  const after = await connectPage(world, owner);
  await createTask(lead, world.projects.joined.id);
  await pollUntil(() => before.messages.length === 1 && after.messages.length === 1);
});

it("the workspace hub keeps at most 100 sockets per person, including those whose close the browser hasn't confirmed", async () => {
  const world = await createWorld();
  const screens = await openUnreadPages(world, world.people.member, 100);
  const rejected = await connectSocket(screens);
  expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '60']);
  expect((await connectSocket(await WorkspaceBrowser.signIn(world, world.people.owner))).status).toBe(101);
});

it('the workspace hub closes a socket that sends anything but pings', async () => {
  const world = await createWorld();
  const page = await connectPage(world, world.people.member);
  openSockets.at(-1)?.send('ping');
  openSockets.at(-1)?.send('x'.repeat(1_000));
  await pollUntil(() => page.closed !== null);
  expect(page.closed).toBe(1008);
});

it('the workspace hub notifies pages when tasks of a removed person are reassigned after the response', async () => {
  const world = await createWorld();
  const { owner, member } = world.people;
  const { joined, other } = world.projects;
  // The first 100 tasks are reassigned before the response, and the others after it.
  for (const [projectId, count] of [
    [joined.id, 100],
    [other.id, 5],
  ] as const) {
    const tasks = Array.from({ length: count }, () => ({
      projectId,
      name: 'Reassigned',
      assigneeId: member.userId,
    }));
    expect((await api(owner.token).post('/tasks/bulk', { tasks })).status).toBe(201);
  }
  const page = await connectPage(world, owner);
  expect((await runForm(owner.token, removePerson, { userId: member.userId })).status).toBe(200);
  await pollUntil(() => page.messages.some(({ projects }) => projects?.includes(other.id)));
});

describe('a browser that has opened a page', () => {
  let world: World;
  let screens: WorkspaceBrowser;
  beforeEach(async () => {
    world = await createWorld();
    screens = await WorkspaceBrowser.signIn(world, world.people.member);
    expect((await screens.open('/tasks')).status).toBe(200);
  });
  const failing = {
    CELL_0: createFaultyD1(env.CELL_0, () => 'overloaded').d1,
    DIRECTORY: createFaultyD1(env.DIRECTORY, () => 'overloaded').d1,
  };

  it('opens a socket without a database query, and then receives the number of the newest event', async () => {
    await createTask(world.people.lead, world.projects.joined.id);
    const page = await screens.open('/tasks');
    expect(page.headers.get('Server-Timing')).toMatch(/^seq;desc=1(,|$)/);
    const headers = { Upgrade: 'websocket', Origin: ORIGIN };
    const answer = await screens.browser.request(`${screens.base}/live`, { headers }, failing);
    expect(answer.status).toBe(101);
    const { webSocket: socket } = answer;
    const messages: unknown[] = [];
    socket?.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
    socket?.accept();
    if (socket) openSockets.push(socket);
    await pollUntil(() => messages.length > 0);
    expect(messages).toEqual([{ seq: 1, pages: 1, slot: 0 }]);
  });

  it.each(['signed out', 'removed'])(
    'gets no message and is disconnected if the person was %s',
    async (how) => {
      const thief = Object.assign(new WorkspaceBrowser(world), { browser: screens.browser.copy() });
      if (how === 'signed out') await signOut(screens);
      else {
        const { owner, member } = world.people;
        await runForm(owner.token, removePerson, { userId: member.userId });
      }
      const page = await openPage(thief);
      await pollUntil(() => page.closed !== null);
      expect([page.closed, page.admission]).toEqual([4001, null]);
    },
  );

  it('is admitted even if its socket opens while other sockets are being checked', async () => {
    // Uses an object, because promises can't be shared with the Durable Object.
    const check = { hasBegun: false, mayEnd: false };
    const slow = new Proxy(env.CELL_0, {
      get: (target, name) =>
        name === 'batch'
          ? async (statements: D1PreparedStatement[]) => {
              const results = await target.batch(statements);
              check.hasBegun = true;
              while (!check.mayEnd) await scheduler.wait(5);
              return results;
            }
          : Reflect.get(target, name).bind(target),
    });
    await runInDurableObject(getWorkspaceHub(env, world.cell, world.no), (hub) => {
      Object.assign(hub, { env: { ...env, CELL_0: slow } });
    });
    const first = await openPage(screens);
    await pollUntil(() => check.hasBegun);
    const second = await openPage(screens);
    check.mayEnd = true;
    await pollUntil(() => first.admission !== null && second.admission !== null);
  });

  it("can't use its cookies to open a socket in another workspace", async () => {
    const elsewhere = await createWorld();
    const forged = new WorkspaceBrowser(elsewhere);
    const place = screens.browser.getCookie(screens.base, 'ew_place') ?? '';
    forged.browser.cookies.set('__Host-ew_session', screens.browser.session ?? '');
    forged.browser.cookies.set('ew_place', place);
    expect((await connectSocket(forged)).status).toBe(404);
    const [cell, , ...rest] = place.split('.');
    forged.browser.cookies.set('ew_place', [cell, elsewhere.no, ...rest].join('.'));
    expect((await connectSocket(forged)).status).toBe(404);
  });
});
