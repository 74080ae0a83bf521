// This file is long because each step of an upload can fail before or after it takes effect.
import { afterEach, expect, it } from 'vitest';
import { listObjects, presignAndUpload } from '../../files/attachments/presigning.ts';
import { createBytes, initUpload, openFilledSession, readStorage } from '../../files/uploads/uploading.ts';
import { meteredEnv, ORIGIN, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { findInconsistencies } from './databases.ts';
import { createFaultyD1, failNthBatch } from './faulty-d1.ts';
import {
  createFaultyBucket,
  createFaultySessions,
  createSessionsWithFaultyBucket,
  type FaultMoment,
  StepFaults,
} from './faulty-files.ts';
import { sendTestRequest, type TestRequest } from './test-requests.ts';

const FILE_BYTES = 100;
const faultMoments: readonly FaultMoment[] = ['before', 'after'];

afterEach(async () => {
  expect(await findInconsistencies()).toEqual([]);
});

const toOpenRequest = ({ people, projects }: World): TestRequest => ({
  method: 'POST',
  path: '/chunked-upload/init',
  body: {
    projectId: projects.joined.id,
    fileName: 'a.bin',
    fileType: 'application/octet-stream',
    fileSize: FILE_BYTES,
  },
  person: people.member,
});
const toEndRequest = (person: Person, how: 'complete' | 'abort', session: string): TestRequest => ({
  method: 'POST',
  path: `/chunked-upload/${how}/${session}`,
  person,
});

async function sendChunk(person: Person, session: string, bindings: Partial<Env> = {}) {
  const response = await send(
    new Request(`${ORIGIN}/v1/chunked-upload/chunk/${session}/1`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${person.token}`,
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(FILE_BYTES),
      },
      body: createBytes(FILE_BYTES),
    }),
    bindings,
  );
  return { status: response.status, body: JSON.parse(await response.text()) };
}

it('an upload that R2 fails to open reserves no storage, and a retry succeeds', async () => {
  for (const moment of faultMoments) {
    const world = await createWorld();
    const faults = new StepFaults({ createMultipartUpload: moment });
    const key = crypto.randomUUID();
    const seen = await sendTestRequest(toOpenRequest(world), key, {
      UPLOAD_SESSION: createSessionsWithFaultyBucket(faults),
    });
    expect([seen.status, seen.body.error.code, faults.failed]).toEqual([500, 'internal', 1]);
    expect((await readStorage(world)).reserved).toBe(0);
    const [again, repeated] = [
      await sendTestRequest(toOpenRequest(world), key),
      await sendTestRequest(toOpenRequest(world), key),
    ];
    expect([again.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.body).toEqual(again.body);
    expect(await readStorage(world)).toMatchObject({ reserved: FILE_BYTES, trulyReserved: FILE_BYTES });
  }
});

it("a chunk that R2 fails to store isn't recorded, and can be sent again", async () => {
  for (const moment of faultMoments) {
    const world = await createWorld();
    const { member } = world.people;
    const { body } = await sendTestRequest(toOpenRequest(world), null);
    const faults = new StepFaults({ uploadPart: moment });
    const seen = await sendChunk(member, body.sessionId, {
      UPLOAD_SESSION: createSessionsWithFaultyBucket(faults),
    });
    expect([seen.status, seen.body.error.code, faults.failed]).toEqual([500, 'internal', 1]);
    const status = { method: 'GET', path: `/chunked-upload/status/${body.sessionId}`, person: member };
    expect((await sendTestRequest(status, null)).body).toMatchObject({ receivedBytes: 0, missingParts: [1] });
    faults.isHealed = true;
    expect((await sendChunk(member, body.sessionId)).status).toBe(200);
    expect((await sendTestRequest(toEndRequest(member, 'complete', body.sessionId), null)).status).toBe(201);
    expect(await readStorage(world)).toMatchObject({ used: FILE_BYTES, trulyUsed: FILE_BYTES, reserved: 0 });
  }
});

it("a completed upload is recorded once, even if R2 fails to assemble it or R2's response is lost", async () => {
  const cases: [Record<string, FaultMoment>, number][] = [
    [{ complete: 'before' }, 500],
    // The object exists, so the lost response doesn't cause an error.
    [{ complete: 'after' }, 201],
    [{ complete: 'after', head: 'before' }, 500],
    [{ complete: 'before', head: 'before' }, 500],
  ];
  for (const [failing, status] of cases) {
    const world = await createWorld();
    const { member } = world.people;
    const session = await openFilledSession(member, { projectId: world.projects.joined.id });
    const faults = new StepFaults(failing);
    const key = crypto.randomUUID();
    const bindings = { UPLOAD_SESSION: createSessionsWithFaultyBucket(faults) };
    const seen = await sendTestRequest(toEndRequest(member, 'complete', session), key, bindings);
    expect([seen.status, JSON.stringify(failing)]).toEqual([status, JSON.stringify(failing)]);
    if (status === 500) expect(await readStorage(world)).toMatchObject({ used: 0, reserved: FILE_BYTES });
    faults.isHealed = true;
    const again = await sendTestRequest(toEndRequest(member, 'complete', session), key);
    expect([200, 201], JSON.stringify(failing)).toContain(again.status);
    expect(await readStorage(world)).toMatchObject({ used: FILE_BYTES, trulyUsed: FILE_BYTES, reserved: 0 });
    expect(await countAttachments(world)).toBe(1);
  }
});

it('aborting an upload session frees its storage even if R2 fails to delete the bytes', async () => {
  for (const moment of faultMoments) {
    const world = await createWorld();
    const { member } = world.people;
    const session = await openFilledSession(member, { projectId: world.projects.joined.id });
    const faults = new StepFaults({ abort: moment, delete: moment });
    const seen = await sendTestRequest(toEndRequest(member, 'abort', session), null, {
      UPLOAD_SESSION: createSessionsWithFaultyBucket(faults),
    });
    expect([seen.status, faults.failed]).toEqual([200, 2]);
    expect(await readStorage(world)).toMatchObject({ used: 0, reserved: 0, trulyReserved: 0 });
    faults.isHealed = true;
    expect((await sendChunk(member, session)).status).toBe(400);
    expect((await sendTestRequest(toEndRequest(member, 'complete', session), null)).status).toBe(400);
  }
});

it('an upload request returns the correct response or 500 if its session object fails, and a retry succeeds', async () => {
  const kinds = [
    ['reset', 'before'],
    ['reset', 'after'],
    ['overloaded', 'before'],
  ] as const;
  for (const [kind, moment] of kinds) {
    for (const method of ['open', 'view', 'putPart', 'assemble', 'finish']) {
      const where = `${method} ${kind} ${moment}`;
      const world = await createWorld();
      const { member } = world.people;
      const faults = new StepFaults({ [method]: moment });
      const bindings = { UPLOAD_SESSION: createFaultySessions(faults, kind) };
      const [openKey, endKey] = [crypto.randomUUID(), crypto.randomUUID()];

      const opened = await sendTestRequest(toOpenRequest(world), openKey, bindings);
      expect(opened.status, where).toBe(method === 'open' ? 500 : 201);
      const { sessionId } = (
        method === 'open' ? await sendTestRequest(toOpenRequest(world), openKey) : opened
      ).body;
      const sent = await sendChunk(member, sessionId, bindings);
      expect(sent.status, where).toBe(['view', 'putPart'].includes(method) ? 500 : 200);
      if (sent.status === 500) expect((await sendChunk(member, sessionId)).status, where).toBe(200);
      const ended = await sendTestRequest(toEndRequest(member, 'complete', sessionId), endKey, bindings);
      expect(ended.status, where).toBe(['view', 'assemble'].includes(method) ? 500 : 201);
      expect(faults.failed, where).toBeGreaterThan(0);

      const again = await sendTestRequest(toEndRequest(member, 'complete', sessionId), endKey);
      expect([200, 201], where).toContain(again.status);
      expect(await readStorage(world), where).toMatchObject({
        used: FILE_BYTES,
        trulyUsed: FILE_BYTES,
        reserved: 0,
      });
      expect(await countAttachments(world), where).toBe(1);
    }
  }
});

it('aborting an upload returns 500 if the session object fails, and a retry frees its storage', async () => {
  for (const method of ['view', 'abort']) {
    for (const moment of faultMoments) {
      const world = await createWorld();
      const { member } = world.people;
      const session = await openFilledSession(member, { projectId: world.projects.joined.id });
      const faults = new StepFaults({ [method]: moment });
      const bindings = { UPLOAD_SESSION: createFaultySessions(faults, 'reset') };
      const key = crypto.randomUUID();
      expect((await sendTestRequest(toEndRequest(member, 'abort', session), key, bindings)).status).toBe(500);
      expect((await readStorage(world)).reserved).toBe(method === 'view' ? FILE_BYTES : 0);
      const again = await sendTestRequest(toEndRequest(member, 'abort', session), key);
      expect([again.status, again.body.status]).toEqual([200, 'aborted']);
      expect(await readStorage(world)).toMatchObject({ used: 0, reserved: 0, trulyReserved: 0 });
    }
  }
});

it('a download returns 500 if R2 fails, and works again once R2 recovers', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await presignAndUpload(member, id);
  const confirm = toConfirmRequest(member, id, s3Key);
  const { body: attachment } = await sendTestRequest(confirm, null);
  const path = `/tasks/${id}/attachments/${attachment.id}/download`;
  const { body } = await sendTestRequest({ method: 'GET', path, person: member }, null);
  const faults = new StepFaults({ get: 'before' });
  const failed = await send(new Request(body.url), { FILES: createFaultyBucket(faults) });
  expect([failed.status, failed.headers.get('X-Request-Id') !== null]).toEqual([500, true]);
  await failed.text();
  const right = await send(new Request(body.url));
  expect([right.status, await right.text()]).toEqual([200, 'hello']);
});

it('an expired upload is cleaned up once, even if R2, the session object or the database fails', async () => {
  const plans: [string, () => Partial<Env>][] = [
    ['R2 delete', () => ({ FILES: createFaultyBucket(new StepFaults({ delete: 'before' })) })],
    ['R2 head', () => ({ FILES: createFaultyBucket(new StepFaults({ head: 'before' })) })],
    [
      'object before',
      () => ({ UPLOAD_SESSION: createFaultySessions(new StepFaults({ expire: 'before' }), 'reset') }),
    ],
    [
      'object after',
      () => ({ UPLOAD_SESSION: createFaultySessions(new StepFaults({ expire: 'after' }), 'reset') }),
    ],
    ...[1, 2, 3].map((batch): [string, () => Partial<Env>] => [
      `batch ${batch} lost after`,
      () => ({ CELL_0: createFaultyD1(meteredEnv.CELL_0, failNthBatch(batch, 'lost after it ran')).d1 }),
    ]),
  ];
  for (const [name, failing] of plans) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    await presignAndUpload(member, id);
    await openFilledSession(member, { taskId: id });
    await initUpload(member, { taskId: id, fileSize: FILE_BYTES });
    const expireUpload = () =>
      getCell(0).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(world.no).run();
    await expireUpload();
    await runCron('* * * * *', failing());
    expect(await findInconsistencies(), name).toEqual([]);
    // Makes the uploads due again, because failed deletions are retried only after five minutes.
    await expireUpload();
    await runCron('* * * * *');
    expect(await readStorage(world), name).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
  }
});

it("the cleanup of orphaned objects never deletes an attachment's object, even after R2 failed", async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await presignAndUpload(member, id);
  await sendTestRequest(toConfirmRequest(member, id, s3Key), null);
  const objects = await listObjects(world);
  expect(objects).toHaveLength(1);
  for (const step of ['list', 'delete']) {
    await runCron('17 3 * * *', { FILES: createFaultyBucket(new StepFaults({ [step]: 'before' })) });
  }
  await runCron('17 3 * * *');
  expect(await listObjects(world)).toEqual(objects);
});

async function countAttachments({ no }: World): Promise<number> {
  const query = getCell(0).prepare('SELECT count(*) AS n FROM attachments WHERE ws = ?').bind(no);
  return (await query.first<{ n: number }>())?.n ?? 0;
}

function toConfirmRequest(person: Person, task: number, s3Key: string) {
  return { method: 'POST', path: `/tasks/${task}/attachments/confirm`, body: { s3Key }, person };
}
