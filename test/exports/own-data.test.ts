import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addCsvFile } from '../imports/prepare-import.ts';
import { api, send } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { deleteExports, finishExports, insertExport } from './prepare-export.ts';
import { downloadArchive } from './read-archive.ts';

let world: World;

beforeEach(async () => {
  world = await createWorld({ cell: 0 });
});
afterEach(async () => {
  await deleteExports(0);
});

const startOwn = async ({ token }: Pick<Person, 'token'>) => api(token).post('/exports', { contents: 'own' });
const finishOwn = async (person: Person) => {
  const { body } = await startOwn(person);
  await finishExports(0);
  const { body: finished } = await api(person.token).get(`/exports/${body.id}`);
  expect(finished).toMatchObject({ status: 'completed', contents: 'own' });
  return downloadArchive(finished.downloadUrl);
};

/** Each person creates a task, comments on the other's, tracks time, adds a file and saves a private filter. */
async function work({ member, client }: World['people']) {
  const project = world.projects.joined.id;
  const created = new Map<Person, { task: number; file: number }>();
  for (const person of [member, client]) {
    const name = `Task of ${person.name}`;
    const { id } = await createTask(person, project, { name, assigneeId: person.userId });
    const text = `ID\n${person.name}`;
    const file = await addCsvFile(world, person, project, text, `${person.name}.csv`);
    created.set(person, { task: id, file });
  }
  for (const person of [member, client]) {
    for (const { task } of created.values())
      await api(person.token).post(`/tasks/${task}/comments`, { content: `By ${person.name}` });
    const { task = 0 } = created.get(person) ?? {};
    await api(person.token).post('/timer/start', { taskId: task });
    await api(person.token).post('/timer/stop', {});
    await getCell(0)
      .prepare(
        "INSERT INTO saved_filters (ws, member, name, is_shared, filter, created_at) VALUES (?, ?, ?, 0, '{}', 1)",
      )
      .bind(world.no, person.member, `Filter of ${person.name}`)
      .run();
  }
  return created;
}

describe('an export of your own data', () => {
  it.each(['member', 'client'] as const)(
    'contains what a %s created, and nothing of others',
    async (role) => {
      const { people } = world;
      const person = people[role];
      const created = await work(people);
      const { task, file } = created.get(person) ?? {};
      const archive = await finishOwn(person);
      expect(archive.lines('people')).toMatchObject([{ id: person.userId, name: person.name }]);
      expect(archive.lines('tasks').map(({ id }) => id)).toEqual([task]);
      expect(archive.lines('comments').map(({ authorId }) => authorId)).toEqual([
        person.userId,
        person.userId,
      ]);
      expect(archive.lines('time-entries').map(({ userId }) => userId)).toEqual([person.userId]);
      expect(archive.lines('saved-filters').map(({ name }) => name)).toEqual([`Filter of ${person.name}`]);
      expect(archive.lines('attachments').map(({ id }) => id)).toEqual([file]);
      expect([...archive.files.keys()].filter((path) => path.startsWith('files/'))).toHaveLength(1);
      const actors = new Set(archive.lines('history').map(({ actorId }) => actorId));
      expect([...actors]).toEqual([person.userId]);
      for (const table of ['team-members', 'project-members'])
        for (const { userId } of archive.lines(table)) expect(userId).toBe(person.userId);
      const other = role === 'member' ? people.client : people.member;
      const all = [...archive.files.keys()].map((path) => archive.text(path)).join('\n');
      for (const text of [`Task of ${other.name}`, `By ${other.name}`, `Filter of ${other.name}`])
        expect(all).not.toContain(text);
      expect(archive.manifest).toMatchObject({ contents: 'own', records: { tasks: 1, comments: 2 } });
    },
  );

  it("leaves out a client's task that the client can no longer see", async () => {
    const { client, owner } = world.people;
    const { id } = await createTask(client, world.projects.joined.id, { name: 'Seen before' });
    await getCell(0).batch([
      getCell(0).prepare('DELETE FROM followers WHERE task = ?').bind(id),
      getCell(0)
        .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
        .bind(world.projects.joined.id, client.member),
    ]);
    await api(owner.token).patch(`/tasks/${id}`, { name: 'Confidential' });
    const archive = await finishOwn(client);
    expect(archive.lines('tasks')).toEqual([]);
    expect(archive.text('history.jsonl')).not.toContain('Confidential');
  });

  it('is visible only to that person', async () => {
    const { owner, member, client } = world.people;
    const { body } = await startOwn(member);
    const { body: finished } = await api(member.token).get(`/exports/${body.id}`);
    for (const { token } of [owner, client]) {
      expect((await api(token).get(`/exports/${body.id}`)).status).toBe(404);
      expect((await api(token).delete(`/exports/${body.id}`)).status).toBe(404);
      expect((await api(token).get('/exports')).body.data).toEqual([]);
    }
    expect((await api(member.token).get('/exports')).body.data).toMatchObject([{ id: body.id }]);
    expect((await send(new Request(finished.downloadUrl))).status).toBe(200);
    await getCell(0)
      .prepare('UPDATE members SET ended_at = 1, version = version + 1 WHERE no = ?')
      .bind(member.member)
      .run();
    expect((await send(new Request(finished.downloadUrl))).status).toBe(404);
  });

  it("runs beside an export of the workspace and other people's, but once for each person", async () => {
    const { owner, member } = world.people;
    await insertExport(world, owner);
    await getCell(0).prepare('UPDATE exports SET leased_until = 9e15').run();
    expect((await startOwn(owner)).status).toBe(201);
    const running = await insertExport(world, member, { person: member.member });
    const rejected = await startOwn(member);
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain(`Export ${running} is running`);
  });

  it('can be started 20 times a day, even if every export is deleted', async () => {
    const { member, client } = world.people;
    for (let n = 0; n < 20; n += 1) {
      const { body } = await startOwn(member);
      expect((await api(member.token).delete(`/exports/${body.id}`)).status).toBe(200);
    }
    const rejected = await startOwn(member);
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'rate_limited']);
    expect(rejected.body.error.message).toContain('Up to 20 exports');
    expect((await startOwn(client)).status).toBe(201);
  });

  it('fails if the person has left the workspace', async () => {
    const { member, owner } = world.people;
    const id = await insertExport(world, member, { person: member.member });
    await getCell(0).batch([
      getCell(0)
        .prepare('UPDATE members SET ended_at = 1, version = version + 1 WHERE no = ?')
        .bind(member.member),
    ]);
    await finishExports(0);
    const row = await getCell(0).prepare('SELECT status, problem FROM exports WHERE id = ?').bind(id).first();
    expect(row).toMatchObject({ status: 'failed', problem: expect.stringContaining('has left') });
    expect((await api(owner.token).get('/exports')).body.data).toEqual([]);
  });
});
