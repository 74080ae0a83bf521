import { beforeAll, describe, expect, it } from 'vitest';
import { addCsvFile } from '../imports/prepare-import.ts';
import { api } from '../support/api.ts';
import { env, getCell } from '../support/env.ts';
import { createTask, createWorld } from '../support/world.ts';
import { createFullWorkspace, type FullWorkspace } from '../web/server/full-workspace.ts';
import { countRows } from './count-rows.ts';
import { type Archive, downloadArchive } from './read-archive.ts';

let full: FullWorkspace;
let archive: Archive;
let file: number;
const FILE_TEXT = 'ID,Task\n1,Grüße 🎉';

beforeAll(async () => {
  full = await createFullWorkspace('Grüße 🎉 "quoted"\nline');
  const { world } = full;
  file = await addCsvFile(world, world.people.owner, world.projects.joined.id, FILE_TEXT, '../a/b:c "d".csv');
  // Another workspace in the same cell.
  const other = await createFullWorkspace('Task of a stranger');
  await api(other.world.people.owner.token).post('/exports', {});
  const { body } = await api(world.people.owner.token).post('/exports', {});
  const { body: finished } = await api(world.people.owner.token).get(`/exports/${body.id}`);
  expect(finished).toMatchObject({ status: 'completed', problem: null, includesFiles: true });
  archive = await downloadArchive(finished.downloadUrl);
});

describe('the archive', () => {
  it('has as many lines as the database has rows', async () => {
    const { world } = full;
    const counted = await countRows(world, world.people.owner.member);
    expect(archive.manifest.records).toEqual(counted);
    expect(Object.values(counted).every((count) => count > 0)).toBe(true);
    for (const [table, count] of Object.entries(counted))
      expect(archive.lines(table), table).toHaveLength(count);
  });

  it('describes itself', () => {
    expect(archive.manifest).toMatchObject({
      format: 'edgework-export',
      formatVersion: 1,
      workspace: { id: full.world.id },
      includesFiles: true,
    });
    for (const path of archive.files.keys()) {
      if (path.endsWith('.jsonl')) expect(archive.text('README.md')).toContain(`\`${path}\``);
    }
  });

  it('contains each task with what belongs to it', async () => {
    const { world, idsByParameter } = full;
    const [task] = archive.lines('tasks').filter(({ name }) => name.startsWith('Grüße'));
    const { body } = await api(world.people.owner.token).get(`/tasks/${task.id}`);
    const { name, description, status, priority, deadline, tags, createdAt } = body;
    expect(task).toMatchObject({ name, description, status, priority, deadline, tags, createdAt });
    expect(task).toMatchObject({
      id: Number(idsByParameter.task),
      projectId: world.projects.joined.id,
      parentId: null,
      assigneeIds: [world.people.owner.userId],
      categoryId: world.categories[0].id,
      typeId: world.categories[0].typeId,
      createdById: world.people.member.userId,
      recurrence: { rule: 'FREQ=DAILY', mode: 'completion' },
      reminders: [{ minutesBefore: 30, at: null }],
    });
    expect(task.checklist).toMatchObject([{ text: 'x', isDone: false }]);
    expect(task.followerIds).toContain(world.people.member.userId);
    const comments = archive.lines('comments').filter(({ taskId }) => taskId === task.id);
    expect(comments[0].reactions).toEqual([
      { reaction: 'eyes', userIds: [world.people.owner.userId] },
      { reaction: 'heart', userIds: [world.people.member.userId] },
    ]);
    expect(archive.lines('relations')).toContainEqual({
      type: 'blocks',
      sourceId: task.id,
      targetId: expect.any(Number),
    });
  });

  it('contains the files, at safe and unique paths', () => {
    const found = archive.lines('attachments').find(({ id }) => id === file);
    expect(found).toMatchObject({ fileName: '../a/b:c "d".csv', path: `files/${file}-.._a_b_c _d_.csv` });
    expect(archive.text(found.path)).toBe(FILE_TEXT);
    for (const path of archive.files.keys()) expect(path).toMatch(/^(files\/\d+-)?[^/\\:]+$/);
  });

  it('contains nothing of another workspace', () => {
    const all = [...archive.files.keys()].map((path) => archive.text(path)).join('\n');
    expect(all).not.toContain('Task of a stranger');
    const people = new Set(archive.lines('people').map(({ id }) => id));
    for (const { actorId } of archive.lines('history')) if (actorId) expect(people.has(actorId)).toBe(true);
    const tasks = new Set(archive.lines('tasks').map(({ id }) => id));
    for (const { taskId } of archive.lines('comments')) expect(tasks.has(taskId)).toBe(true);
    for (const { taskId } of archive.lines('time-entries')) expect(tasks.has(taskId)).toBe(true);
  });

  it('contains no secret, token or hash that is stored', async () => {
    const all = [...archive.files.keys()].map((path) => archive.text(path)).join('\n');
    const secrets = await listSecrets();
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  });
});

/** Every stored value whose column name says that it is secret, and everything that looks like a key. */
async function listSecrets(): Promise<string[]> {
  const found = new Set<string>();
  for (const db of [env.DIRECTORY, getCell(0), getCell(1)]) {
    const { results: columns } = await db
      .prepare(
        `SELECT m.name AS tab, c.name AS col FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE '\\_cf%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite%'
          AND (c.name LIKE '%hash%' OR c.name LIKE '%secret%' OR c.name LIKE '%token%' OR c.name LIKE '%nonce%'
            OR c.name IN ('prefix', 'object_key', 's3_key', 'upload_id', 'endpoint', 'auth', 'p256dh', 'password'))`,
      )
      .all<{ tab: string; col: string }>();
    for (const { tab, col } of columns) {
      const { results } = await db
        .prepare(`SELECT DISTINCT ${col} AS value FROM ${tab}`)
        .all<{ value: unknown }>();
      for (const { value } of results) {
        if (typeof value === 'string' && value.length >= 8) found.add(value);
      }
    }
  }
  return [...found];
}

describe('private data', () => {
  it("leaves out deleted tasks, other people's reminders and private filters", async () => {
    const world = await createWorld({ cell: 1 });
    const { owner, admin } = world.people;
    const kept = await createTask(owner, world.projects.other.id, { deadline: '2030-01-01' });
    const gone = await createTask(owner, world.projects.other.id, { name: 'Deleted task' });
    await api(admin.token).put(`/tasks/${kept.id}/reminders`, { items: [{ minutesBefore: 45 }] });
    await api(owner.token).post(`/tasks/${gone.id}/comments`, { content: 'Deleted comment' });
    await api(owner.token).delete(`/tasks/${gone.id}`);
    const { body } = await api(owner.token).post('/exports', { includeFiles: false });
    const { body: finished } = await api(owner.token).get(`/exports/${body.id}`);
    const found = await downloadArchive(finished.downloadUrl);
    expect(found.lines('tasks')).toMatchObject([{ id: kept.id, reminders: [] }]);
    expect(found.lines('comments')).toEqual([]);
    expect(found.manifest.includesFiles).toBe(false);
  });
});
