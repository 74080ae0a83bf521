import { expect, it } from 'vitest';
import { admitSockets, type Listener, notifySockets } from '../../../src/events/hub/sockets.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { env, getCell } from '../../support/env.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

class FakeSocket {
  readonly messages: { seq: number; projects?: number[]; pages: number }[] = [];
  readyState = WebSocket.OPEN;
  #attachment: unknown;

  constructor(listener: Listener) {
    this.#attachment = listener;
  }

  serializeAttachment(attachment: unknown) {
    this.#attachment = attachment;
  }

  deserializeAttachment(): unknown {
    return this.#attachment;
  }

  send(text: string) {
    if (this.readyState !== WebSocket.OPEN) throw new TypeError("Can't call WebSocket send() after close().");
    this.messages.push(JSON.parse(text));
  }

  close(code: number) {
    expect(code).toBe(0);
  }

  toSocket(): WebSocket {
    return this as unknown as WebSocket;
  }
}

async function listenAsClient(world: World): Promise<FakeSocket> {
  const { client } = world.people;
  const screens = await WorkspaceBrowser.signIn(world, client);
  // Opening a page copies the session to the cell.
  await screens.open('');
  const idHash = await env.DIRECTORY.prepare('SELECT id_hash FROM browser_sessions WHERE user_id = ?')
    .bind(client.userId)
    .first<string>('id_hash');
  return new FakeSocket({ member: client.member, idHash: idHash ?? '' });
}

it('notifying a client in a hundred projects reads at most three more rows than notifying a client in one project', async () => {
  const world = await createWorld();
  const { client, lead } = world.people;
  const socket = await listenAsClient(world);
  const db = getCell(world.cell);
  const cell = new Database(db, new CostMeter());
  await admitSockets([socket.toSocket()], { cell, workspace: world.no });
  expect(socket.messages.splice(0)).toEqual([{ seq: 0, pages: 1, slot: 0 }]);
  const measureRows = async () => {
    const meter = new CostMeter();
    const cell = new Database(db, meter);
    await notifySockets([socket.toSocket()], { cell, workspace: world.no });
    return meter.rowsRead;
  };
  await createTask(lead, world.projects.joined.id);
  const few = await measureRows();
  for (let made = 0; made < 100; made += 1) await createProject(world, { owner: lead, members: [client] });
  const { id: newest } = await createProject(world, { owner: lead, members: [client] });
  await createTask(lead, newest);
  expect(await measureRows()).toBeLessThanOrEqual(few + 3);
  expect(socket.messages).toEqual([
    { seq: 1, projects: [world.projects.joined.id], pages: 1, slot: 0 },
    { seq: 2, projects: [newest], pages: 1, slot: 0 },
  ]);
});

it('thousands of reconnecting sockets are admitted in one database round trip', async () => {
  const world = await createWorld();
  const listener = (await listenAsClient(world)).deserializeAttachment() as Listener;
  const sockets = Array.from({ length: 2_000 }, () => new FakeSocket(listener));
  const meter = new CostMeter();
  const cell = new Database(getCell(world.cell), meter);
  await admitSockets(
    sockets.map((socket) => socket.toSocket()),
    { cell, workspace: world.no },
  );
  expect([meter.trips, meter.statements]).toEqual([1, 3]);
  expect(sockets.every(({ messages }) => messages.length === 1 && messages[0]?.pages === 2_000)).toBe(true);
  // All sockets are already admitted, so nothing is read.
  await admitSockets(
    sockets.map((socket) => socket.toSocket()),
    { cell, workspace: world.no },
  );
  expect(meter.trips).toBe(1);
});

it('a page is notified of an event that it missed, even if another page is admitted first', async () => {
  const world = await createWorld();
  const before = await listenAsClient(world);
  const cell = new Database(getCell(world.cell), new CostMeter());
  const place = { cell, workspace: world.no };
  await admitSockets([before.toSocket()], place);
  await createTask(world.people.lead, world.projects.joined.id);
  const later = await listenAsClient(world);
  const sockets = [before.toSocket(), later.toSocket()];
  await admitSockets(sockets, place);
  await notifySockets(sockets, place);
  const changed = { seq: 1, projects: [world.projects.joined.id], pages: 2, slot: 1 };
  expect([before.messages.at(-1), later.messages]).toEqual([changed, [{ seq: 1, pages: 2, slot: 1 }]]);
});

it("a page that closes while the database is being read doesn't keep other pages from getting a message", async () => {
  const world = await createWorld();
  const [closing, other] = [await listenAsClient(world), await listenAsClient(world)];
  const sockets = [closing.toSocket(), other.toSocket()];
  const place = { cell: new Database(getCell(world.cell), new CostMeter()), workspace: world.no };
  const closeSocketDuring = async (work: Promise<void>) => {
    closing.readyState = WebSocket.CLOSING;
    await work;
  };
  await closeSocketDuring(admitSockets(sockets, place));
  expect([closing.messages.length, other.messages.length]).toEqual([0, 1]);
  closing.readyState = WebSocket.OPEN;
  await admitSockets(sockets, place);
  await createTask(world.people.lead, world.projects.joined.id);
  await closeSocketDuring(notifySockets(sockets, place));
  expect([closing.messages.length, other.messages.length]).toEqual([1, 2]);
});
