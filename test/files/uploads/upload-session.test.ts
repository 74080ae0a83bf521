import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';
import { CHUNK, filledSession, init, objectOf, putChunk, someBytes, storageOf } from './uploading.ts';

const stubOf = (session: string) => env.UPLOAD_SESSION.getByName(session);

interface Stored {
  plan: { expiresAt: number; s3Key: string };
  uploadId: string;
  state: string;
  etag: string | null;
}

/** Reads, and optionally changes, the stored state of a session. */
function stored(session: string, change: (record: Stored) => Stored = (record) => record): Promise<Stored> {
  return runInDurableObject(stubOf(session), (_instance, state) => {
    const record = change(state.storage.kv.get('session') as Stored);
    state.storage.kv.put('session', record);
    return record;
  });
}

const outlive = (session: string) =>
  stored(session, (record) => ({ ...record, plan: { ...record.plan, expiresAt: Date.now() - 1 } }));

const isEmpty = (session: string) =>
  runInDurableObject(stubOf(session), (_instance, state) => [...state.storage.kv.list()].length === 0);

it('an upload session keeps its state when it is evicted between any two steps', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const bytes = someBytes(CHUNK + 500);
  const { body } = await init(member, { taskId: id, fileSize: bytes.byteLength });
  const session = body.sessionId;
  await evictDurableObject(stubOf(session));
  expect((await putChunk(member, session, 2, bytes.subarray(CHUNK))).status).toBe(200);
  await evictDurableObject(stubOf(session));
  expect((await putChunk(member, session, 1, bytes.subarray(0, CHUNK))).body.receivedChunks).toBe(2);
  await evictDurableObject(stubOf(session));
  const completed = await api(member.token).post(`/chunked-upload/complete/${session}`);
  expect(completed.status).toBe(201);
  await evictDurableObject(stubOf(session));
  const again = await api(member.token).post(`/chunked-upload/complete/${session}`);
  expect([again.status, again.text]).toEqual([200, completed.text]);
});

it('an upload completes after a crash between assembling the object and recording it', async () => {
  const world = await createWorld();
  const { member } = world.people;
  for (const crash of ['before it was noted', 'after it was noted']) {
    const session = await filledSession(member, { projectId: world.projects.joined.id });
    const { plan, uploadId } = await stored(session);
    const parts = await runInDurableObject(stubOf(session), (_instance, state) =>
      state.storage.sql.exec<{ number: number; etag: string }>('SELECT number, etag FROM parts').toArray(),
    );
    const object = await env.FILES.resumeMultipartUpload(plan.s3Key, uploadId).complete(
      parts.map(({ number, etag }) => ({ partNumber: number, etag })),
    );
    await stored(session, (record) =>
      crash === 'before it was noted'
        ? { ...record, state: 'completing' }
        : { ...record, state: 'assembled', etag: object.etag },
    );
    await evictDurableObject(stubOf(session));
    const answer = await api(member.token).post(`/chunked-upload/complete/${session}`);
    expect(answer.status, crash).toBe(201);
  }
  expect(await storageOf(world)).toMatchObject({ used: 200, trulyUsed: 200, reserved: 0 });
});

it('an upload session reopens if R2 fails to assemble the object', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await filledSession(member, { projectId: world.projects.joined.id });
  await runInDurableObject(stubOf(session), (_instance, state) => {
    state.storage.sql.exec("UPDATE parts SET etag = 'of another part'");
  });
  await expect(api(member.token).post(`/chunked-upload/complete/${session}`)).rejects.toThrow('500');
  expect((await storageOf(world)).trulyUsed).toBe(0);
  expect((await putChunk(member, session, 1, someBytes(100))).status).toBe(200);
  expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(201);
});

it('an upload session ends after 24 hours and releases its storage once, even if the alarm runs twice', async () => {
  const world = await createWorld({ cell: 1 });
  const { member } = world.people;
  const session = await filledSession(member, { projectId: world.projects.joined.id });
  const other = await filledSession(member, { projectId: world.projects.joined.id });
  const { plan, uploadId } = await outlive(session);
  expect((await api(member.token).get(`/chunked-upload/status/${session}`)).status).toBe(404);
  expect((await putChunk(member, session, 1, someBytes(100))).status).toBe(404);
  expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(404);
  await evictDurableObject(stubOf(session));
  await runInDurableObject(stubOf(session), async (instance) => {
    await instance.alarm();
    await instance.alarm();
  });
  expect(await isEmpty(session)).toBe(true);
  expect(await objectOf(plan.s3Key)).toBeNull();
  await expect(env.FILES.resumeMultipartUpload(plan.s3Key, uploadId).uploadPart(1, 'x')).rejects.toThrow();
  expect(await storageOf(world)).toEqual({ used: 0, reserved: 100, trulyUsed: 0, trulyReserved: 100 });
  expect((await api(member.token).get(`/chunked-upload/status/${other}`)).status).toBe(200);
});

it('an upload session stays open if its alarm runs early', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await filledSession(member, { projectId: world.projects.joined.id });
  expect(await runDurableObjectAlarm(stubOf(session))).toBe(true);
  await evictDurableObject(stubOf(session));
  // The alarm was set again.
  expect(await runDurableObjectAlarm(stubOf(session))).toBe(true);
  expect((await api(member.token).post(`/chunked-upload/complete/${session}`)).status).toBe(201);
});

it('an upload session expires without changing the attachment that it became', async () => {
  const world = await createWorld();
  const { member } = world.people;
  for (const isNoted of [true, false]) {
    const session = await filledSession(member, { projectId: world.projects.joined.id });
    await api(member.token).post(`/chunked-upload/complete/${session}`);
    if (!isNoted) await stored(session, (record) => ({ ...record, state: 'assembled' }));
    const { plan } = await outlive(session);
    await runInDurableObject(stubOf(session), (instance) => instance.alarm());
    expect(await objectOf(plan.s3Key)).toEqual(someBytes(100));
    expect(await isEmpty(session)).toBe(true);
  }
  expect(await storageOf(world)).toMatchObject({ used: 200, trulyUsed: 200, reserved: 0 });
});

it('an object that was assembled but never recorded is deleted', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await filledSession(member, { projectId: world.projects.joined.id });
  const owner = `${world.id} ${member.userId}`;
  expect(await stubOf(session).assemble(owner)).toMatchObject({ kind: 'assembled' });
  const { plan } = await outlive(session);
  expect(await objectOf(plan.s3Key)).not.toBeNull();
  await runInDurableObject(stubOf(session), (instance) => instance.alarm());
  expect(await objectOf(plan.s3Key)).toBeNull();
  expect((await storageOf(world)).reserved).toBe(0);
});

it('an upload session rejects a part that arrives during an abort', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { body } = await init(member, { projectId: world.projects.joined.id, fileSize: 100 });
  const owner = `${world.id} ${member.userId}`;
  const { readable, writable } = new FixedLengthStream(100);
  const writer = writable.getWriter();
  const part = { number: 1, size: 100, sha256: null };
  const sending = stubOf(body.sessionId).putPart(owner, part, readable, async () => true);
  void writer.write(someBytes(50)).catch(() => undefined);
  await api(member.token).post(`/chunked-upload/abort/${body.sessionId}`);
  void writer
    .write(someBytes(50))
    .then(() => writer.close())
    .catch(() => undefined);
  expect(await sending).toEqual({ kind: 'closed', state: 'aborted' });
});
