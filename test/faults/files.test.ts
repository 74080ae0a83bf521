import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { deleteDue } from '../attachments/cleaning.ts';
import { confirm, objectsOf, uploaded } from '../attachments/presigning.ts';
import { meteredEnv, ORIGIN, send } from '../support/api.ts';
import { cellOf, env } from '../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { filledSession, init, someBytes, storageOf } from '../uploads/uploading.ts';
import { type Asked, ask } from './asking.ts';
import { faultyD1, nth } from './faulty-d1.ts';
import { Faults, faultyBucket, faultySessions, type Moment, sessionsOver } from './faulty-files.ts';
import { whatIsOff } from './store.ts';

const SIZE = 100;
const moments: readonly Moment[] = ['before', 'after'];

afterEach(async () => {
  expect(await whatIsOff()).toEqual([]);
});

const opening = ({ people, projects }: World): Asked => ({
  method: 'POST',
  path: '/chunked-upload/init',
  body: {
    projectId: projects.joined.id,
    fileName: 'a.bin',
    fileType: 'application/octet-stream',
    fileSize: SIZE,
  },
  person: people.member,
});
const ending = (person: Person, how: 'complete' | 'abort', session: string): Asked => ({
  method: 'POST',
  path: `/chunked-upload/${how}/${session}`,
  person,
});

/** Sends the only chunk of a session. */
async function sendChunk(person: Person, session: string, bindings: Partial<Env> = {}) {
  const response = await send(
    new Request(`${ORIGIN}/v1/chunked-upload/chunk/${session}/1`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${person.token}`,
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(SIZE),
      },
      body: someBytes(SIZE),
    }),
    bindings,
  );
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const tick = (cron: string, variables: Partial<Env> = {}) =>
  worker.scheduled(createScheduledController({ cron }), { ...env, ...variables }, createExecutionContext());

it('reserves nothing where R2 does not open the upload, and a retry opens one', async () => {
  for (const moment of moments) {
    const world = await createWorld();
    const faults = new Faults({ createMultipartUpload: moment });
    const key = crypto.randomUUID();
    const seen = await ask(opening(world), key, { UPLOAD_SESSION: sessionsOver(faults) });
    expect([seen.status, seen.body.error.code, faults.failed]).toEqual([500, 'internal', 1]);
    expect((await storageOf(world)).reserved).toBe(0);
    const [again, repeated] = [await ask(opening(world), key), await ask(opening(world), key)];
    expect([again.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.body).toEqual(again.body);
    expect(await storageOf(world)).toMatchObject({ reserved: SIZE, trulyReserved: SIZE });
  }
});

it('keeps no chunk that R2 did not store, and takes it again', async () => {
  for (const moment of moments) {
    const world = await createWorld();
    const { member } = world.people;
    const { body } = await ask(opening(world), null);
    const faults = new Faults({ uploadPart: moment });
    const seen = await sendChunk(member, body.sessionId, { UPLOAD_SESSION: sessionsOver(faults) });
    expect([seen.status, seen.body.error.code, faults.failed]).toEqual([500, 'internal', 1]);
    const status = { method: 'GET', path: `/chunked-upload/status/${body.sessionId}`, person: member };
    expect((await ask(status, null)).body).toMatchObject({ receivedBytes: 0, missingParts: [1] });
    faults.isHealed = true;
    expect((await sendChunk(member, body.sessionId)).status).toBe(200);
    expect((await ask(ending(member, 'complete', body.sessionId), null)).status).toBe(201);
    expect(await storageOf(world)).toMatchObject({ used: SIZE, trulyUsed: SIZE, reserved: 0 });
  }
});

it('records an object once, whether R2 refused to assemble it or its answer was lost', async () => {
  const cases: [Record<string, Moment>, number][] = [
    [{ complete: 'before' }, 500],
    // The object is there, so that the lost answer is no failure.
    [{ complete: 'after' }, 201],
    [{ complete: 'after', head: 'before' }, 500],
    [{ complete: 'before', head: 'before' }, 500],
  ];
  for (const [failing, status] of cases) {
    const world = await createWorld();
    const { member } = world.people;
    const session = await filledSession(member, { projectId: world.projects.joined.id });
    const faults = new Faults(failing);
    const key = crypto.randomUUID();
    const bindings = { UPLOAD_SESSION: sessionsOver(faults) };
    const seen = await ask(ending(member, 'complete', session), key, bindings);
    expect([seen.status, JSON.stringify(failing)]).toEqual([status, JSON.stringify(failing)]);
    if (status === 500) expect(await storageOf(world)).toMatchObject({ used: 0, reserved: SIZE });
    faults.isHealed = true;
    const again = await ask(ending(member, 'complete', session), key);
    expect([200, 201], JSON.stringify(failing)).toContain(again.status);
    expect(await storageOf(world)).toMatchObject({ used: SIZE, trulyUsed: SIZE, reserved: 0 });
    expect(await countAttachments(world)).toBe(1);
  }
});

it('frees the storage of an aborted session although R2 keeps its bytes', async () => {
  for (const moment of moments) {
    const world = await createWorld();
    const { member } = world.people;
    const session = await filledSession(member, { projectId: world.projects.joined.id });
    const faults = new Faults({ abort: moment, delete: moment });
    const seen = await ask(ending(member, 'abort', session), null, { UPLOAD_SESSION: sessionsOver(faults) });
    expect([seen.status, faults.failed]).toEqual([200, 2]);
    expect(await storageOf(world)).toMatchObject({ used: 0, reserved: 0, trulyReserved: 0 });
    faults.isHealed = true;
    expect((await sendChunk(member, session)).status).toBe(400);
    expect((await ask(ending(member, 'complete', session), null)).status).toBe(400);
  }
});

it('answers right or 500 at every call of a session object that is reset or overloaded, and a retry ends it', async () => {
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
      const faults = new Faults({ [method]: moment });
      const bindings = { UPLOAD_SESSION: faultySessions(faults, kind) };
      const [openKey, endKey] = [crypto.randomUUID(), crypto.randomUUID()];

      const opened = await ask(opening(world), openKey, bindings);
      expect(opened.status, where).toBe(method === 'open' ? 500 : 201);
      const { sessionId } = (method === 'open' ? await ask(opening(world), openKey) : opened).body;
      const sent = await sendChunk(member, sessionId, bindings);
      expect(sent.status, where).toBe(['view', 'putPart'].includes(method) ? 500 : 200);
      if (sent.status === 500) expect((await sendChunk(member, sessionId)).status, where).toBe(200);
      const ended = await ask(ending(member, 'complete', sessionId), endKey, bindings);
      expect(ended.status, where).toBe(['view', 'assemble'].includes(method) ? 500 : 201);
      expect(faults.failed, where).toBeGreaterThan(0);

      const again = await ask(ending(member, 'complete', sessionId), endKey);
      expect([200, 201], where).toContain(again.status);
      expect(await storageOf(world), where).toMatchObject({ used: SIZE, trulyUsed: SIZE, reserved: 0 });
      expect(await countAttachments(world), where).toBe(1);
    }
  }
});

it('frees the storage whatever becomes of the object during an abort, and a retry says so', async () => {
  for (const method of ['view', 'abort']) {
    for (const moment of moments) {
      const world = await createWorld();
      const { member } = world.people;
      const session = await filledSession(member, { projectId: world.projects.joined.id });
      const faults = new Faults({ [method]: moment });
      const bindings = { UPLOAD_SESSION: faultySessions(faults, 'reset') };
      const key = crypto.randomUUID();
      expect((await ask(ending(member, 'abort', session), key, bindings)).status).toBe(500);
      expect((await storageOf(world)).reserved).toBe(method === 'view' ? SIZE : 0);
      const again = await ask(ending(member, 'abort', session), key);
      expect([again.status, again.body.status]).toEqual([200, 'aborted']);
      expect(await storageOf(world)).toMatchObject({ used: 0, reserved: 0, trulyReserved: 0 });
    }
  }
});

it('confirms nothing while R2 does not say what lies there, and once when it does', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  for (const moment of moments) {
    const s3Key = await uploaded(member, id);
    const request = confirmOf(member, id, s3Key);
    const key = crypto.randomUUID();
    const faults = new Faults({ head: moment });
    const before = await storageOf(world);
    expect((await ask(request, key, { FILES: faultyBucket(faults) })).status).toBe(500);
    expect(await storageOf(world)).toEqual(before);
    expect((await ask(request, key)).status).toBe(201);
    expect((await ask(request, null)).status).toBe(200);
  }
  expect(await storageOf(world)).toMatchObject({ used: 10, reserved: 0 });
});

it('gives the reservation of a wrong object back once, although R2 fails to delete it', async () => {
  for (const moment of moments) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await uploaded(member, id, {}, 'much more than was declared');
    const request = confirmOf(member, id, s3Key);
    const key = crypto.randomUUID();
    const faults = new Faults({ delete: moment });
    expect((await ask(request, key, { FILES: faultyBucket(faults) })).status).toBe(500);
    expect(await storageOf(world)).toMatchObject({ used: 0, reserved: 0 });
    const again = await ask(request, key);
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid_request']);
    expect(await env.FILES.head(s3Key)).toBeNull();
    expect(await storageOf(world)).toMatchObject({ used: 0, reserved: 0 });
    await env.FILES.put(s3Key, 'right');
    expect((await ask(request, crypto.randomUUID())).status).toBe(201);
    expect(await storageOf(world)).toMatchObject({ used: 5, trulyUsed: 5, reserved: 0 });
  }
});

it('copies a confirmed upload once, although the copy or its answer is lost, and leaves nothing behind', async () => {
  for (const moment of moments) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await uploaded(member, id);
    const key = crypto.randomUUID();
    const request = confirmOf(member, id, s3Key);
    const faults = new Faults({ copy: moment });
    const real = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation((...args) =>
      faults.around('copy', new Error('Network connection lost.'), () => real(...args)),
    );
    expect((await ask(request, key)).status).toBe(500);
    expect(await storageOf(world)).toMatchObject({ used: 0, reserved: 5 });
    expect(await objectsOf(world)).toHaveLength(moment === 'before' ? 1 : 2);
    faults.isHealed = true;
    const again = await ask(request, key);
    vi.restoreAllMocks();
    expect([again.status, faults.failed]).toEqual([201, 1]);
    expect(await objectsOf(world)).toHaveLength(1);
    await deleteDue();
    expect(await bytesOf(member, id, again.body.id)).toBe('hello');
  }
});

it('deletes a copy that was never recorded, and lets nothing be recorded with it', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await uploaded(member, id);
  // The batch that records it fails, and nobody asks again.
  const failing = { CELL_0: faultyD1(meteredEnv.CELL_0, nth(3, 'lost before')).d1 };
  expect((await ask(confirmOf(member, id, s3Key), null, failing)).status).toBe(500);
  expect(await objectsOf(world)).toHaveLength(2);
  await deleteDue();
  expect(await objectsOf(world)).toEqual([s3Key]);

  // A cron that comes between the copy and the batch takes the copy; the confirm makes another.
  const real = globalThis.fetch;
  const copied = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await real(...args);
    if (copied.mock.calls.length === 1) await deleteDue();
    return response;
  });
  const confirmed = await ask(confirmOf(member, id, s3Key), null);
  vi.restoreAllMocks();
  // The copy that the cron deleted is missed at once: 500, and a retry succeeds.
  expect([201, 500]).toContain(confirmed.status);
  const { body } = await ask(confirmOf(member, id, s3Key), null);
  await deleteDue();
  expect(await bytesOf(member, id, body.id)).toBe('hello');
  expect(await objectsOf(world)).toHaveLength(1);
});

it('records what it looked at, whatever is put in its place while it is copied', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await uploaded(member, id);
  const real = globalThis.fetch;
  let replaced = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    replaced += 1;
    if (replaced === 1) await env.FILES.put(s3Key, 'HELLO');
    return real(...args);
  });
  const { status, body } = await ask(confirmOf(member, id, s3Key), null);
  vi.restoreAllMocks();
  expect([status, replaced]).toEqual([201, 2]);
  expect(await bytesOf(member, id, body.id)).toBe('HELLO');
  await deleteDue();
  expect(await objectsOf(world)).toHaveLength(1);
});

it('keeps the confirmed file although R2 does not delete the original, which goes with its address', async () => {
  for (const moment of moments) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await uploaded(member, id);
    const faults = new Faults({ delete: moment });
    const { status, body } = await ask(confirmOf(member, id, s3Key), null, { FILES: faultyBucket(faults) });
    expect([status, faults.failed]).toEqual([201, 1]);
    await cellOf(0).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(world.no).run();
    await tick('* * * * *');
    expect(await objectsOf(world)).toHaveLength(1);
    expect(await bytesOf(member, id, body.id)).toBe('hello');
  }
});

it('removes a file once, although R2 or the list of what is to be deleted fails', async () => {
  const plans: [string, () => Partial<Env>][] = [
    ...moments.map((moment): [string, () => Partial<Env>] => [
      `R2 ${moment}`,
      () => ({ FILES: faultyBucket(new Faults({ delete: moment })) }),
    ]),
    ['list', () => ({ CELL_0: faultyD1(meteredEnv.CELL_0, nth(3, 'lost before')).d1 })],
  ];
  for (const [name, failing] of plans) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { body } = await confirm(member, id, { s3Key: await uploaded(member, id) });
    const path = `/tasks/${id}/attachments/${body.id}`;
    const removed = await ask({ method: 'DELETE', path, person: member }, null, failing());
    expect(removed.status, name).toBe(200);
    expect(await storageOf(world), name).toMatchObject({ used: 0, trulyUsed: 0 });
    await deleteDue(failing());
    await deleteDue();
    expect(await objectsOf(world), name).toEqual([]);
    const left = await cellOf(0)
      .prepare('SELECT count(*) AS n FROM objects_to_delete')
      .first<{ n: number }>();
    expect(left?.n, name).toBe(0);
  }
});

it('answers 500 to a download that R2 fails, and hands it out afterwards', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await uploaded(member, id);
  const confirm = confirmOf(member, id, s3Key);
  const { body: attachment } = await ask(confirm, null);
  const path = `/tasks/${id}/attachments/${attachment.id}/download`;
  const { body } = await ask({ method: 'GET', path, person: member }, null);
  const faults = new Faults({ get: 'before' });
  const failed = await send(new Request(body.url), { FILES: faultyBucket(faults) });
  expect([failed.status, failed.headers.get('X-Request-Id') !== null]).toEqual([500, true]);
  await failed.text();
  const right = await send(new Request(body.url));
  expect([right.status, await right.text()]).toEqual([200, 'hello']);
});

it('ends expired uploads once, although R2, the object or the database fails in between', async () => {
  const plans: [string, () => Partial<Env>][] = [
    ['R2 delete', () => ({ FILES: faultyBucket(new Faults({ delete: 'before' })) })],
    ['R2 head', () => ({ FILES: faultyBucket(new Faults({ head: 'before' })) })],
    ['object before', () => ({ UPLOAD_SESSION: faultySessions(new Faults({ expire: 'before' }), 'reset') })],
    ['object after', () => ({ UPLOAD_SESSION: faultySessions(new Faults({ expire: 'after' }), 'reset') })],
    ...[1, 2, 3].map((batch): [string, () => Partial<Env>] => [
      `batch ${batch} lost after`,
      () => ({ CELL_0: faultyD1(meteredEnv.CELL_0, nth(batch, 'lost after')).d1 }),
    ]),
  ];
  for (const [name, failing] of plans) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    await uploaded(member, id);
    await filledSession(member, { taskId: id });
    await init(member, { taskId: id, fileSize: SIZE });
    const expire = () =>
      cellOf(0).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(world.no).run();
    await expire();
    await tick('* * * * *', failing());
    expect(await whatIsOff(), name).toEqual([]);
    // What failed has been put off for five minutes.
    await expire();
    await tick('* * * * *');
    expect(await storageOf(world), name).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
  }
});

it('sweeps on where R2 failed, and never what an attachment holds', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await uploaded(member, id);
  await ask(confirmOf(member, id, s3Key), null);
  const objects = await objectsOf(world);
  expect(objects).toHaveLength(1);
  for (const step of ['list', 'delete']) {
    await tick('17 3 * * *', { FILES: faultyBucket(new Faults({ [step]: 'before' })) });
  }
  await tick('17 3 * * *');
  expect(await objectsOf(world)).toEqual(objects);
});

/** What a download hands out. */
async function bytesOf(person: Person, task: number, attachment: number): Promise<string> {
  const path = `/tasks/${task}/attachments/${attachment}/download`;
  const { body } = await ask({ method: 'GET', path, person }, null);
  return (await send(new Request(body.url))).text();
}

async function countAttachments({ no }: World): Promise<number> {
  const query = cellOf(0).prepare('SELECT count(*) AS n FROM attachments WHERE ws = ?').bind(no);
  return (await query.first<{ n: number }>())?.n ?? 0;
}

function confirmOf(person: Person, task: number, s3Key: string) {
  return { method: 'POST', path: `/tasks/${task}/attachments/confirm`, body: { s3Key }, person };
}
