import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';
import {
  CHUNK_BYTES,
  createBytes,
  initUpload,
  openFilledSession,
  putChunk,
  readObject,
  readStorage,
} from './uploading.ts';

const getStub = (session: string) => env.UPLOAD_SESSION.getByName(session);

interface StoredSession {
  plan: { expiresAt: number; s3Key: string };
  uploadId: string;
  state: string;
  etag: string | null;
}

function updateStoredSession(
  session: string,
  change: (record: StoredSession) => StoredSession = (record) => record,
): Promise<StoredSession> {
  return runInDurableObject(getStub(session), (_instance, state) => {
    const record = change(state.storage.kv.get('session') as StoredSession);
    state.storage.kv.put('session', record);
    return record;
  });
}

const expireSession = (session: string) =>
  updateStoredSession(session, (record) => ({
    ...record,
    plan: { ...record.plan, expiresAt: Date.now() - 1 },
  }));

const isEmpty = (session: string) =>
  runInDurableObject(getStub(session), (_instance, state) => [...state.storage.kv.list()].length === 0);

it('an upload session keeps its state if it is evicted from memory between any two steps', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const bytes = createBytes(CHUNK_BYTES + 500);
  const { body } = await initUpload(member, { taskId: id, fileSize: bytes.byteLength });
  const session = body.sessionId;
  await evictDurableObject(getStub(session));
  expect((await putChunk(member, session, 2, bytes.subarray(CHUNK_BYTES))).status).toBe(200);
  await evictDurableObject(getStub(session));
  expect((await putChunk(member, session, 1, bytes.subarray(0, CHUNK_BYTES))).body.receivedChunks).toBe(2);
  await evictDurableObject(getStub(session));
  const completed = await api(member.token).post(`/chunked-upload/complete/${session}`);
  expect(completed.status).toBe(201);
  await evictDurableObject(getStub(session));
  const again = await api(member.token).post(`/chunked-upload/complete/${session}`);
  expect([again.status, again.text]).toEqual([200, completed.text]);
});

it('an upload completes after a crash between assembling the object and recording it', async () => {
  const world = await createWorld();
  const { member } = world.people;
  for (const crash of ['before it was noted', 'after it was noted']) {
    const session = await openFilledSession(member, { projectId: world.projects.joined.id });
    const { plan, uploadId } = await updateStoredSession(session);
    const parts = await runInDurableObject(getStub(session), (_instance, state) =>
      state.storage.sql.exec<{ number: number; etag: string }>('SELECT number, etag FROM parts').toArray(),
    );
    const object = await env.FILES.resumeMultipartUpload(plan.s3Key, uploadId).complete(
      parts.map(({ number, etag }) => ({ partNumber: number, etag })),
    );
    await updateStoredSession(session, (record) =>
      crash === 'before it was noted'
        ? { ...record, state: 'completing' }
        : { ...record, state: 'assembled', etag: object.etag },
    );
    await evictDurableObject(getStub(session));
    const answer = await api(member.token).post(`/chunked-upload/complete/${session}`);
    expect(answer.status, crash).toBe(201);
  }
  expect(await readStorage(world)).toMatchObject({ used: 200, trulyUsed: 200, reserved: 0 });
});

it('an upload session reopens if R2 fails to assemble the object', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await openFilledSession(member, { projectId: world.projects.joined.id });
  await runInDurableObject(getStub(session), (_instance, state) => {
    state.storage.sql.exec("UPDATE parts SET etag = 'of another part'");
  });
  await expect(api(member.token).post(`/chunked-upload/complete/${session}`)).rejects.toThrow('500');
  expect((await readStorage(world)).trulyUsed).toBe(0);
  expect((await putChunk(member, session, 1, createBytes(100))).status).toBe(200);
  expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(201);
});

it('an upload session expires after 24 hours and releases its storage once, even if the alarm runs twice', async () => {
  const world = await createWorld({ cell: 1 });
  const { member } = world.people;
  const session = await openFilledSession(member, { projectId: world.projects.joined.id });
  const other = await openFilledSession(member, { projectId: world.projects.joined.id });
  const { plan, uploadId } = await expireSession(session);
  expect((await api(member.token).get(`/chunked-upload/status/${session}`)).status).toBe(404);
  expect((await putChunk(member, session, 1, createBytes(100))).status).toBe(404);
  expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(404);
  await evictDurableObject(getStub(session));
  await runInDurableObject(getStub(session), async (instance) => {
    await instance.alarm();
    await instance.alarm();
  });
  expect(await isEmpty(session)).toBe(true);
  expect(await readObject(plan.s3Key)).toBeNull();
  await expect(env.FILES.resumeMultipartUpload(plan.s3Key, uploadId).uploadPart(1, 'x')).rejects.toThrow();
  expect(await readStorage(world)).toEqual({ used: 0, reserved: 100, trulyUsed: 0, trulyReserved: 100 });
  expect((await api(member.token).get(`/chunked-upload/status/${other}`)).status).toBe(200);
});

it('an upload session stays open if its alarm runs early', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await openFilledSession(member, { projectId: world.projects.joined.id });
  expect(await runDurableObjectAlarm(getStub(session))).toBe(true);
  await evictDurableObject(getStub(session));
  // The first alarm has set another alarm.
  expect(await runDurableObjectAlarm(getStub(session))).toBe(true);
  expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(201);
});

it('the attachment that an upload session created is kept when the session expires', async () => {
  const world = await createWorld();
  const { member } = world.people;
  for (const isNoted of [true, false]) {
    const session = await openFilledSession(member, { projectId: world.projects.joined.id });
    await api(member.token).post(`/chunked-upload/complete/${session}`);
    if (!isNoted) await updateStoredSession(session, (record) => ({ ...record, state: 'assembled' }));
    const { plan } = await expireSession(session);
    await runInDurableObject(getStub(session), (instance) => instance.alarm());
    expect(await readObject(plan.s3Key)).toEqual(createBytes(100));
    expect(await isEmpty(session)).toBe(true);
  }
  expect(await readStorage(world)).toMatchObject({ used: 200, trulyUsed: 200, reserved: 0 });
});

it('an object that was assembled but never recorded is deleted', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await openFilledSession(member, { projectId: world.projects.joined.id });
  const owner = `${world.id} ${member.userId}`;
  expect(await getStub(session).assemble(owner)).toMatchObject({ kind: 'assembled' });
  const { plan } = await expireSession(session);
  expect(await readObject(plan.s3Key)).not.toBeNull();
  await runInDurableObject(getStub(session), (instance) => instance.alarm());
  expect(await readObject(plan.s3Key)).toBeNull();
  expect((await readStorage(world)).reserved).toBe(0);
});

it('an upload session rejects a chunk that arrives while the session is being aborted', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { body } = await initUpload(member, { projectId: world.projects.joined.id, fileSize: 100 });
  const owner = `${world.id} ${member.userId}`;
  const { readable, writable } = new FixedLengthStream(100);
  const writer = writable.getWriter();
  const part = { number: 1, size: 100, sha256: null };
  const sending = getStub(body.sessionId).putPart(owner, part, readable, async () => true);
  void writer.write(createBytes(50)).catch(() => undefined);
  await api(member.token).post(`/chunked-upload/abort/${body.sessionId}`);
  void writer
    .write(createBytes(50))
    .then(() => writer.close())
    .catch(() => undefined);
  expect(await sending).toEqual({ kind: 'closed', state: 'aborted' });
});
