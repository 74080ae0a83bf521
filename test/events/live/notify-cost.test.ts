import { expect, it } from 'vitest';
import { type Listener, notifySockets } from '../../../src/events/hub/workspace-hub.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { cellOf, env } from '../../support/env.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { Screens } from '../../web/server/screens.ts';

/** A socket of the client, and the messages it got. */
async function listenAsClient(world: World) {
  const { client } = world.people;
  const screens = await Screens.of(world, client);
  // Opening a page makes the cell know the session.
  await screens.open('');
  const idHash = await env.DIRECTORY.prepare('SELECT id_hash FROM browser_sessions WHERE user_id = ?')
    .bind(client.userId)
    .first<string>('id_hash');
  const version = await cellOf(world.cell)
    .prepare('SELECT version FROM members WHERE no = ?')
    .bind(client.member)
    .first<number>('version');
  const listener = { member: client.member, version, idHash, isLimited: true } as Listener;
  const told: { seq: number; projects?: number[] }[] = [];
  const socket = {
    deserializeAttachment: () => listener,
    send: (text: string) => told.push(JSON.parse(text)),
    close: (code: number) => expect(code).toBe(0),
  } as unknown as WebSocket;
  return { socket, told };
}

it('notifying a client who is in a hundred projects reads no more rows', async () => {
  const world = await createWorld();
  const { client, lead } = world.people;
  const { socket, told } = await listenAsClient(world);
  const db = cellOf(world.cell);
  const tell = async (after: number) => {
    const meter = new CostMeter();
    const cell = new Database(db, meter);
    await notifySockets([socket], after, { cell, workspace: world.no });
    return meter.rowsRead;
  };
  await createTask(lead, world.projects.joined.id);
  const few = await tell(0);
  for (let made = 0; made < 100; made += 1) await createProject(world, { owner: lead, members: [client] });
  const { id: newest } = await createProject(world, { owner: lead, members: [client] });
  await createTask(lead, newest);
  expect(await tell(1)).toBeLessThanOrEqual(few + 3);
  expect(told).toEqual([
    { seq: 1, projects: [world.projects.joined.id] },
    { seq: 2, projects: [newest] },
  ]);
});
