// This file is long because each step of a chunked upload can be repeated, reordered or rejected.
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';
import {
  buildForm,
  CHUNK_BYTES,
  createBytes,
  fetchUrl,
  initUpload,
  openFilledSession,
  putChunk,
  readStorage,
  sha256,
} from './uploading.ts';

describe('a chunked upload', () => {
  it('accepts chunks in any order, in parallel and repeatedly, and creates an attachment with the same bytes', async () => {
    const world = await createWorld({ cell: 1 });
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id);
    const bytes = createBytes(2 * CHUNK_BYTES + 1234);
    const before = Date.now();
    const started = await initUpload(member, { taskId: task.id, fileSize: bytes.byteLength });
    expect(started.status).toBe(201);
    const { sessionId } = started.body;
    expect(started.body).toMatchObject({ status: 'open', chunkSize: CHUNK_BYTES, totalChunks: 3 });
    const startedAt = Date.parse(started.body.expiresAt) - 86_400_000;
    expect(startedAt).toBeGreaterThanOrEqual(before);
    expect(startedAt).toBeLessThanOrEqual(Date.now());
    const getPart = (number: number) => bytes.subarray((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES);

    const wrong = createBytes(CHUNK_BYTES, 9);
    expect((await putChunk(member, sessionId, 2, wrong)).body).toEqual({
      sessionId,
      partNumber: 2,
      size: CHUNK_BYTES,
      receivedChunks: 1,
      totalChunks: 3,
    });
    const open = await api(member.token).get(`/chunked-upload/status/${sessionId}`);
    expect(open.body).toMatchObject({
      status: 'open',
      receivedChunks: 1,
      receivedBytes: CHUNK_BYTES,
      missingParts: [1, 3],
      fileSize: bytes.byteLength,
    });
    const sent = await Promise.all(
      [3, 2, 1, 2].map((number) => putChunk(member, sessionId, number, getPart(number))),
    );
    expect(sent.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);

    const completed = await api(member.token).post(`/chunked-upload/complete/${sessionId}`);
    expect(completed.status).toBe(201);
    expect(completed.body).toMatchObject({
      fileName: 'film.bin',
      fileSize: bytes.byteLength,
      version: 1,
      parentId: null,
      uploadedBy: { id: member.userId },
    });
    const { body: download } = await api(member.token).get(
      `/tasks/${task.id}/attachments/${completed.body.id}/download`,
    );
    const file = await fetchUrl(download.url);
    expect(file.status).toBe(200);
    expect(await sha256(await file.arrayBuffer())).toBe(await sha256(bytes));
    const status = await api(member.token).get(`/chunked-upload/status/${sessionId}`);
    expect(status.body).toMatchObject({ status: 'completed', missingParts: [], receivedChunks: 3 });
    const storage = await readStorage(world);
    expect(storage).toMatchObject({ used: bytes.byteLength, trulyUsed: bytes.byteLength, reserved: 0 });
  });

  it('can be added to a project that the person can see, but not to a hidden project', async () => {
    const world = await createWorld();
    const { client } = world.people;
    const project = world.projects.joined.id;
    const session = await openFilledSession(client, { projectId: project });
    const { status, body } = await api(client.token).post(`/chunked-upload/complete/${session}`);
    expect(status).toBe(201);
    const list = await api(client.token).get(`/projects/${project}/attachments`);
    expect(list.body.data).toEqual([body]);
    expect(list.body.meta.total).toBe(1);
    const download = await api(client.token).get(`/projects/${project}/attachments/${body.id}/download`);
    expect((await fetchUrl(download.body.url)).status).toBe(200);
    const hidden = await initUpload(client, { projectId: world.projects.other.id, fileSize: 5 });
    expect(hidden.status).toBe(404);
  });

  it("becomes the next version of the task's file, even if a project is also set", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const completeUpload = async (body: Record<string, unknown>) => {
      const session = await openFilledSession(member, { taskId: id, projectId: 999, ...body });
      return (await api(member.token).post(`/chunked-upload/complete/${session}`)).body;
    };
    const first = await completeUpload({});
    const second = await completeUpload({ parentId: first.id, fileName: 'second.bin' });
    const third = await completeUpload({ parentId: second.id, fileName: 'third.bin' });
    const other = await completeUpload({ fileName: 'other.bin' });
    expect([first, second, third].map(({ version, parentId }) => [version, parentId])).toEqual([
      [1, null],
      [2, first.id],
      [3, first.id],
    ]);
    const list = await api(member.token).get(`/tasks/${id}/attachments`);
    expect(list.body.data.map((each: { id: number }) => each.id)).toEqual([other.id, third.id]);
    expect(list.body.meta.total).toBe(2);
    const history = await api(member.token).get(`/tasks/${id}/activities?limit=2`);
    expect(history.body.meta.total).toBe(5);
    expect(history.body.data[0]).toMatchObject({
      type: 'attachment_added',
      to: 'other.bin',
      via: 'session',
      actor: { id: member.userId },
    });
    const old = await api(member.token).get(`/tasks/${id}/attachments/${first.id}/download`);
    expect(old.body.fileName).toBe('film.bin');
  });

  it('creates one attachment and one history entry when it is completed ten times in parallel', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.other.id);
    const session = await openFilledSession(owner, { taskId: id });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api(owner.token).post(`/chunked-upload/complete/${session}`)),
    );
    expect(answers.map((each) => each.status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map((each) => each.text)).size).toBe(1);
    const list = await api(owner.token).get(`/tasks/${id}/attachments`);
    expect(list.body.meta.total).toBe(1);
    const history = await api(owner.token).get(`/tasks/${id}/activities`);
    expect(history.body.data.map((each: { type: string }) => each.type)).toEqual([
      'attachment_added',
      'created',
    ]);
    expect(await readStorage(world)).toMatchObject({ used: 100, reserved: 0 });
  });

  it('accepts chunks sent as forms', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const bytes = createBytes(CHUNK_BYTES + 77);
    const { body } = await initUpload(member, {
      projectId: world.projects.joined.id,
      fileSize: bytes.byteLength,
    });
    for (const part of [1, 2]) {
      const chunk = bytes.subarray((part - 1) * CHUNK_BYTES, part * CHUNK_BYTES);
      const { form, headers } = await buildForm(chunk);
      expect((await putChunk(member, body.sessionId, part, form, headers)).status).toBe(200);
    }
    const completed = await api(member.token).post(`/chunked-upload/complete/${body.sessionId}`);
    const { body: download } = await api(member.token).get(
      `/projects/${world.projects.joined.id}/attachments/${completed.body.id}/download`,
    );
    const file = await fetchUrl(download.url);
    expect(await sha256(await file.arrayBuffer())).toBe(await sha256(bytes));
  });

  it("discards a chunk whose checksum doesn't match, and also an earlier upload of the same chunk", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const bytes = createBytes(100);
    const session = await openFilledSession(member, { projectId: world.projects.joined.id }, bytes);
    const good = { 'X-Chunk-SHA256': await sha256(bytes) };
    expect((await putChunk(member, session, 1, bytes, good)).status).toBe(200);
    const damaged = await putChunk(member, session, 1, createBytes(100, 5), good);
    expect(damaged.status).toBe(400);
    expect(damaged.body.error.message).toContain('SHA-256');
    const rejected = await api(member.token).post(`/chunked-upload/complete/${session}`);
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain('1 of 1 chunks are missing: 1');
    expect((await putChunk(member, session, 1, bytes, good)).status).toBe(200);
    expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(201);
  });
});

describe('an upload session', () => {
  it('returns the same 404 to everyone except its creator', async () => {
    const world = await createWorld();
    const stranger = (await createWorld()).people.owner;
    const { member, owner } = world.people;
    const session = await openFilledSession(member, { projectId: world.projects.joined.id });
    for (const person of [owner, stranger]) {
      for (const call of [
        (id: string) => api(person.token).get(`/chunked-upload/status/${id}`),
        (id: string) => api(person.token).post(`/chunked-upload/complete/${id}`),
        (id: string) => api(person.token).post(`/chunked-upload/abort/${id}`),
        (id: string) => api(person.token).delete(`/chunked-upload/${id}`),
        (id: string) => putChunk(person, id, 1, createBytes(100)),
      ]) {
        const foreign = await call(session);
        const missing = await call('A'.repeat(27));
        expect(foreign.status).toBe(404);
        expect(foreign.text.replace(session, 'A'.repeat(27))).toBe(missing.text);
      }
    }
    expect((await api(member.token).get(`/chunked-upload/status/${session}`)).status).toBe(200);
  });

  it('releases its storage when it is aborted with POST or DELETE, even repeatedly', async () => {
    const world = await createWorld();
    const { member } = world.people;
    for (const end of ['POST /abort/', 'DELETE /'] as const) {
      const session = await openFilledSession(member, { projectId: world.projects.joined.id });
      expect((await readStorage(world)).reserved).toBe(100);
      const [method, path] = end.split(' ') as [string, string];
      for (let time = 0; time < 2; time += 1) {
        const { status, body } = await api(member.token).call(method, `/chunked-upload${path}${session}`);
        expect(status).toBe(200);
        expect(body).toEqual({ sessionId: session, status: 'aborted' });
      }
      expect(await readStorage(world)).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
      expect((await putChunk(member, session, 1, createBytes(100))).status).toBe(400);
      expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(400);
      const { body } = await api(member.token).get(`/chunked-upload/status/${session}`);
      expect(body.status).toBe('aborted');
    }
  });

  it("rejects further chunks, and can't be aborted, once it is completed", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const session = await openFilledSession(member, { projectId: world.projects.joined.id });
    const first = await api(member.token).post(`/chunked-upload/complete/${session}`);
    expect((await putChunk(member, session, 1, createBytes(100))).status).toBe(400);
    expect((await api(member.token).post(`/chunked-upload/abort/${session}`)).status).toBe(400);
    const again = await api(member.token).post(`/chunked-upload/complete/${session}`);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
  });

  it('is either completed or aborted if both are requested in parallel', async () => {
    const world = await createWorld();
    const { member } = world.people;
    for (let round = 0; round < 6; round += 1) {
      const session = await openFilledSession(member, { projectId: world.projects.joined.id });
      const [completed, aborted] = await Promise.all([
        api(member.token).post(`/chunked-upload/complete/${session}`),
        api(member.token).post(`/chunked-upload/abort/${session}`),
      ]);
      const isCompleted = completed.status === 201;
      expect([completed.status, aborted.status]).toEqual(isCompleted ? [201, 400] : [400, 200]);
      const { body } = await api(member.token).get(`/chunked-upload/status/${session}`);
      expect(body.status).toBe(isCompleted ? 'completed' : 'aborted');
      const storage = await readStorage(world);
      expect(storage).toMatchObject({ used: storage.trulyUsed, reserved: 0, trulyReserved: 0 });
    }
  });

  it("can't be opened or completed while its task is archived", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const session = await openFilledSession(member, { taskId: id });
    await api(member.token).post(`/tasks/${id}/archive`);
    for (const rejected of [
      await initUpload(member, { taskId: id, fileSize: 5 }),
      await api(member.token).post(`/chunked-upload/complete/${session}`),
    ]) {
      expect(rejected.status).toBe(400);
      expect(rejected.body.error.message).toContain('unarchive');
    }
    await api(member.token).post(`/tasks/${id}/unarchive`);
    expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(201);
  });

  it('accepts no more chunks from a revoked key', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { body: app } = await api(owner.token).post('/connected-apps/api-keys', { name: 'Sender' });
    const sender = { ...owner, token: app.key };
    const session = await openFilledSession(sender, { projectId: world.projects.other.id });
    await api(owner.token).delete(`/connected-apps/${app.id}`);
    expect((await putChunk(sender, session, 1, createBytes(100))).status).toBe(401);
    expect((await api(app.key).post(`/chunked-upload/complete/${session}`)).status).toBe(401);
  });

  it('returns 404 and creates no attachment if the task is no longer visible when the upload is completed', async () => {
    const world = await createWorld();
    const { client } = world.people;
    const { id } = await createTask(client, world.projects.joined.id);
    const session = await openFilledSession(client, { taskId: id });
    await getCell(0).batch([
      getCell(0).prepare('DELETE FROM project_members WHERE member = ?').bind(client.member),
      getCell(0).prepare('DELETE FROM followers WHERE member = ?').bind(client.member),
      getCell(0).prepare("UPDATE tasks SET followers = '[]' WHERE id = ?").bind(id),
    ]);
    const rejected = await api(client.token).post(`/chunked-upload/complete/${session}`);
    expect(rejected.status).toBe(404);
    expect((await readStorage(world)).trulyUsed).toBe(0);
  });
});
