import { describe, expect, it } from 'vitest';
import { api, ORIGIN } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { fetchUrl, initUpload, openFilledSession, readStorage } from '../uploads/uploading.ts';
import { runObjectDeletion } from './object-deletion.ts';
import { confirmUpload, listObjects, presignAndUpload } from './presigning.ts';

const addFileToTask = async (person: Person, task: number, body: Record<string, unknown> = {}) =>
  (await confirmUpload(person, task, { s3Key: await presignAndUpload(person, task), ...body })).body;

const addFileToProject = async (person: Person, project: number) => {
  const session = await openFilledSession(person, { projectId: project });
  return (await api(person.token).post(`/chunked-upload/complete/${session}`)).body;
};

const removeFile = (person: Person, path: string, id: number, extra?: Record<string, string>) =>
  api(person.token).delete(`${path}/attachments/${id}`, extra);

const noStorage = { used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 };

/** Counts only objects of this workspace, because other tests leave some behind. */
const countScheduledDeletions = ({ cell, id }: World) =>
  getCell(cell)
    .prepare('SELECT count(*) AS n FROM objects_to_delete WHERE instr(object_key, ?) = 1')
    .bind(`${cell}/${id}/`)
    .first<number>('n');

describe('removing a file', () => {
  it('removes every version from the task, releases their storage, and adds a history entry', async () => {
    const world = await createWorld({ cell: 1 });
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const path = `/tasks/${id}`;
    const first = await addFileToTask(member, id);
    const second = await addFileToTask(member, id, { parentId: first.id });
    const other = await addFileToTask(member, id);
    const { body: download } = await api(member.token).get(`${path}/attachments/${second.id}/download`);
    expect((await readStorage(world)).used).toBe(15);

    const removed = await removeFile(member, path, second.id);
    expect([removed.status, removed.body]).toEqual([200, { success: true }]);
    expect(await readStorage(world)).toEqual({ ...noStorage, used: 5, trulyUsed: 5 });
    expect((await listObjects(world)).length).toBe(1);
    expect(await countScheduledDeletions(world)).toBe(0);
    expect((await fetchUrl(download.url)).status).toBe(404);
    for (const { fileUrl } of [first, second]) {
      expect((await fetchUrl(fileUrl, { Authorization: `Bearer ${member.token}` })).status).toBe(404);
    }
    const list = await api(member.token).get(`${path}/attachments`);
    expect(list.body.data).toEqual([other]);
    for (const each of [first, second]) {
      expect((await api(member.token).get(`${path}/attachments/${each.id}/download`)).status).toBe(404);
      expect((await removeFile(member, path, each.id)).status).toBe(404);
    }
    const { body: history } = await api(member.token).get(`${path}/activities`);
    expect(history.meta.total).toBe(5);
    expect(history.data[0]).toMatchObject({
      type: 'attachment_removed',
      field: 'attachment',
      from: 'plan.txt',
      to: null,
      actor: { id: member.userId },
    });
  });

  it("from a project keeps the project's other files", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const project = world.projects.joined.id;
    const [gone, kept] = [await addFileToProject(member, project), await addFileToProject(member, project)];
    expect((await removeFile(member, `/projects/${project}`, gone.id)).body).toEqual({ success: true });
    const list = await api(member.token).get(`/projects/${project}/attachments`);
    expect(list.body.data).toEqual([kept]);
    expect(await readStorage(world)).toEqual({ ...noStorage, used: 100, trulyUsed: 100 });
    expect(await listObjects(world)).toEqual([kept.fileUrl.slice(`${ORIGIN}/files/`.length)]);
  });

  it('takes effect immediately even if R2 fails, and a cron job deletes the object later', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const attachment = await addFileToTask(member, id);
    const { body } = await api(member.token).get(`/tasks/${id}/attachments/${attachment.id}/download`);
    const FILES = new Proxy(env.FILES, {
      get(target, name) {
        if (name === 'delete') return () => Promise.reject(new Error('R2 is not there'));
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const path = `/tasks/${id}/attachments/${attachment.id}`;
    expect((await api(member.token, { FILES }).delete(path)).status).toBe(200);
    expect((await listObjects(world)).length).toBe(1);
    expect((await fetchUrl(body.url)).status).toBe(404);
    await runObjectDeletion({ FILES });
    expect((await listObjects(world)).length).toBe(1);
    await runObjectDeletion();
    expect(await listObjects(world)).toEqual([]);
    expect(await countScheduledDeletions(world)).toBe(0);
  });

  it('takes effect once per Idempotency-Key, and never frees an id for reuse', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const attachment = await addFileToTask(member, id);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await removeFile(member, `/tasks/${id}`, attachment.id, key)).body).toEqual({ success: true });
    }
    const s3Key = attachment.fileUrl.slice(`${ORIGIN}/files/`.length);
    // The upload URL may still accept bytes, but the upload can't be confirmed again.
    await env.FILES.put(s3Key, 'hello');
    expect((await confirmUpload(member, id, { s3Key })).status).toBe(404);
    const next = await addFileToTask(member, id);
    expect(next.id).toBeGreaterThan(attachment.id);
  });

  it('succeeds for only one of several parallel requests', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const [attachment] = [await addFileToTask(member, id), await addFileToTask(member, id)];
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => removeFile(member, `/tasks/${id}`, attachment.id)),
    );
    expect(answers.map((each) => each.status).sort()).toEqual([200, ...Array(5).fill(404)]);
    expect(await readStorage(world)).toEqual({ ...noStorage, used: 5, trulyUsed: 5 });
  });
});

describe('permission to remove a file', () => {
  it('is limited to the person who uploaded all versions, the project lead, and workspace owners and admins', async () => {
    const world = await createWorld();
    const { owner, admin, lead, member, client } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { no } = world;
    const makeProjectOwner = (person: Person) =>
      getCell(0)
        .prepare('UPDATE projects SET owner = ? WHERE id = ? AND ws = ?')
        .bind(person.member, world.projects.joined.id, no)
        .run();
    await makeProjectOwner(owner);
    const expectRejection = async (person: Person, file: number, path = `/tasks/${id}`) => {
      const rejected = await removeFile(person, path, file);
      expect([rejected.status, rejected.body.error?.code]).toEqual([403, 'forbidden']);
    };
    const file = await addFileToTask(member, id);
    await expectRejection(lead, file.id);
    await expectRejection(client, file.id);
    // Adding a version gives neither person the right to remove the other's upload.
    const version = await addFileToTask(lead, id, { parentId: file.id });
    await expectRejection(lead, version.id);
    await expectRejection(member, file.id);
    await makeProjectOwner(lead);
    expect((await removeFile(lead, `/tasks/${id}`, version.id)).status).toBe(200);
    await makeProjectOwner(owner);
    for (const person of [owner, admin, member]) {
      expect((await removeFile(person, `/tasks/${id}`, (await addFileToTask(member, id)).id)).status).toBe(
        200,
      );
    }
    const path = `/projects/${world.projects.joined.id}`;
    const filed = await addFileToProject(member, world.projects.joined.id);
    await expectRejection(lead, filed.id, path);
    expect((await removeFile(member, path, filed.id)).status).toBe(200);
    expect(await readStorage(world)).toEqual(noStorage);
  });

  it('is checked after visibility (404) and before the archived state (400)', async () => {
    const world = await createWorld();
    const stranger = (await createWorld()).people.owner;
    const { owner, member, client } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const elsewhere = await createTask(member, world.projects.joined.id);
    const hidden = await createTask(owner, world.projects.other.id);
    const file = await addFileToTask(member, id);
    const unseen = await addFileToTask(owner, hidden.id);
    const project = `/projects/${world.projects.joined.id}`;
    for (const [person, path, attachment] of [
      [stranger, `/tasks/${id}`, file.id],
      [client, `/tasks/${hidden.id}`, unseen.id],
      [member, `/tasks/${elsewhere.id}`, file.id],
      [member, project, file.id],
      [member, `/tasks/${id}`, 999_999],
    ] as const) {
      expect((await removeFile(person, path, attachment)).status, path).toBe(404);
    }
    await api(member.token).post(`/tasks/${id}/archive`);
    expect((await removeFile(client, `/tasks/${id}`, file.id)).status).toBe(403);
    const archived = await removeFile(member, `/tasks/${id}`, file.id);
    expect([archived.status, archived.body.error.message]).toEqual([
      400,
      expect.stringContaining('unarchive'),
    ]);
    expect(await readStorage(world)).toMatchObject({ used: 10, trulyUsed: 10 });
  });
});

describe('removing a file while a new version is being uploaded', () => {
  it("makes completing a chunked upload return 404, and releases the upload's storage", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const file = await addFileToTask(member, id);
    const session = await openFilledSession(member, { taskId: id, parentId: file.id });
    const waiting = await initUpload(member, { taskId: id, parentId: file.id, fileSize: 7 });
    await removeFile(member, `/tasks/${id}`, file.id);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    for (const each of [session, waiting.body.sessionId]) {
      const completeUpload = () => api(member.token).post(`/chunked-upload/complete/${each}`, undefined, key);
      expect((await completeUpload()).status).toBe(404);
      expect((await completeUpload()).status).toBe(400);
      const { body } = await api(member.token).get(`/chunked-upload/status/${each}`);
      expect(body.status).toBe('aborted');
    }
    expect(await readStorage(world)).toEqual(noStorage);
    expect(await listObjects(world)).toEqual([]);
  });

  it('leaves no storage in use, even if a presigned upload is being confirmed at the same time', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    for (let round = 0; round < 5; round += 1) {
      const file = await addFileToTask(member, id);
      const s3Key = await presignAndUpload(member, id);
      const [added, removed] = await Promise.all([
        confirmUpload(member, id, { s3Key, parentId: file.id }),
        removeFile(member, `/tasks/${id}`, file.id),
      ]);
      expect([201, 404]).toContain(added.status);
      expect(removed.status).toBe(200);
    }
    const { used, trulyUsed } = await readStorage(world);
    expect([used, trulyUsed]).toEqual([0, 0]);
  });
});
