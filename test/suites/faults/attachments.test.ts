import { afterEach, expect, it, vi } from 'vitest';
import { runObjectDeletion } from '../../files/attachments/object-deletion.ts';
import { confirmUpload, listObjects, presignAndUpload } from '../../files/attachments/presigning.ts';
import { readStorage } from '../../files/uploads/uploading.ts';
import { meteredEnv, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';
import { findInconsistencies } from './databases.ts';
import { createFaultyD1, failNthBatch } from './faulty-d1.ts';
import { createFaultyBucket, type FaultMoment, StepFaults } from './faulty-files.ts';
import { sendTestRequest } from './test-requests.ts';

const faultMoments: readonly FaultMoment[] = ['before', 'after'];

afterEach(async () => {
  expect(await findInconsistencies()).toEqual([]);
});

it('an upload is confirmed once, and only after R2 has returned its metadata', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  for (const moment of faultMoments) {
    const s3Key = await presignAndUpload(member, id);
    const request = toConfirmRequest(member, id, s3Key);
    const key = crypto.randomUUID();
    const faults = new StepFaults({ head: moment });
    const before = await readStorage(world);
    expect((await sendTestRequest(request, key, { FILES: createFaultyBucket(faults) })).status).toBe(500);
    expect(await readStorage(world)).toEqual(before);
    expect((await sendTestRequest(request, key)).status).toBe(201);
    expect((await sendTestRequest(request, null)).status).toBe(200);
  }
  expect(await readStorage(world)).toMatchObject({ used: 10, reserved: 0 });
});

it('the storage reserved for an object of the wrong size is freed once, even if R2 fails to delete the object', async () => {
  for (const moment of faultMoments) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await presignAndUpload(member, id, {}, 'much more than was declared');
    const request = toConfirmRequest(member, id, s3Key);
    const key = crypto.randomUUID();
    const faults = new StepFaults({ delete: moment });
    expect((await sendTestRequest(request, key, { FILES: createFaultyBucket(faults) })).status).toBe(500);
    expect(await readStorage(world)).toMatchObject({ used: 0, reserved: 0 });
    const again = await sendTestRequest(request, key);
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid_request']);
    expect(await env.FILES.head(s3Key)).toBeNull();
    expect(await readStorage(world)).toMatchObject({ used: 0, reserved: 0 });
    await env.FILES.put(s3Key, 'right');
    expect((await sendTestRequest(request, crypto.randomUUID())).status).toBe(201);
    expect(await readStorage(world)).toMatchObject({ used: 5, trulyUsed: 5, reserved: 0 });
  }
});

it('confirming an upload again after copying it failed leaves exactly one object', async () => {
  for (const moment of faultMoments) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await presignAndUpload(member, id);
    const key = crypto.randomUUID();
    const request = toConfirmRequest(member, id, s3Key);
    const faults = new StepFaults({ copy: moment });
    const real = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation((...args) =>
      faults.runStep('copy', new Error('Network connection lost.'), () => real(...args)),
    );
    expect((await sendTestRequest(request, key)).status).toBe(500);
    expect(await readStorage(world)).toMatchObject({ used: 0, reserved: 5 });
    expect(await listObjects(world)).toHaveLength(moment === 'before' ? 1 : 2);
    faults.isHealed = true;
    const again = await sendTestRequest(request, key);
    vi.restoreAllMocks();
    expect([again.status, faults.failed]).toEqual([201, 1]);
    expect(await listObjects(world)).toHaveLength(1);
    await runObjectDeletion();
    expect(await downloadText(member, id, again.body.id)).toBe('hello');
  }
});

it("an unrecorded copy of an upload is deleted, and can't be recorded later", async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await presignAndUpload(member, id);
  // The batch that records the copy fails, and the client doesn't retry.
  const failing = { CELL_0: createFaultyD1(meteredEnv.CELL_0, failNthBatch(3, 'lost before it runs')).d1 };
  expect((await sendTestRequest(toConfirmRequest(member, id, s3Key), null, failing)).status).toBe(500);
  expect(await listObjects(world)).toHaveLength(2);
  await runObjectDeletion();
  expect(await listObjects(world)).toEqual([s3Key]);

  // If the cron job deletes the copy before it is recorded, the confirmation makes a second copy.
  const real = globalThis.fetch;
  const copied = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await real(...args);
    if (copied.mock.calls.length === 1) await runObjectDeletion();
    return response;
  });
  const confirmed = await sendTestRequest(toConfirmRequest(member, id, s3Key), null);
  expect([confirmed.status, copied.mock.calls.length]).toEqual([201, 2]);
  vi.restoreAllMocks();
  await runObjectDeletion();
  expect(await downloadText(member, id, confirmed.body.id)).toBe('hello');
  expect(await listObjects(world)).toHaveLength(1);
});

it('an upload is checked and copied again if it is replaced while it is being copied', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await presignAndUpload(member, id);
  const real = globalThis.fetch;
  let replaced = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    replaced += 1;
    if (replaced === 1) await env.FILES.put(s3Key, 'HELLO');
    return real(...args);
  });
  const { status, body } = await sendTestRequest(toConfirmRequest(member, id, s3Key), null);
  vi.restoreAllMocks();
  expect([status, replaced]).toEqual([201, 2]);
  expect(await downloadText(member, id, body.id)).toBe('HELLO');
  await runObjectDeletion();
  expect(await listObjects(world)).toHaveLength(1);
});

it('a confirmed file is kept even if R2 fails to delete the original upload, and a cron job deletes the original later', async () => {
  for (const moment of faultMoments) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await presignAndUpload(member, id);
    const faults = new StepFaults({ delete: moment });
    const { status, body } = await sendTestRequest(toConfirmRequest(member, id, s3Key), null, {
      FILES: createFaultyBucket(faults),
    });
    expect([status, faults.failed]).toEqual([201, 1]);
    await getCell(0).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(world.no).run();
    await runCron('* * * * *');
    expect(await listObjects(world)).toHaveLength(1);
    expect(await downloadText(member, id, body.id)).toBe('hello');
  }
});

it('a removed file is deleted once, even if R2 or the deletion queue fails', async () => {
  const plans: [string, () => Partial<Env>][] = [
    ...faultMoments.map((moment): [string, () => Partial<Env>] => [
      `R2 ${moment}`,
      () => ({ FILES: createFaultyBucket(new StepFaults({ delete: moment })) }),
    ]),
    [
      'list',
      () => ({ CELL_0: createFaultyD1(meteredEnv.CELL_0, failNthBatch(3, 'lost before it runs')).d1 }),
    ],
  ];
  for (const [name, failing] of plans) {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { body } = await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id) });
    const path = `/tasks/${id}/attachments/${body.id}`;
    const removed = await sendTestRequest({ method: 'DELETE', path, person: member }, null, failing());
    expect(removed.status, name).toBe(200);
    expect(await readStorage(world), name).toMatchObject({ used: 0, trulyUsed: 0 });
    await runObjectDeletion(failing());
    await runObjectDeletion();
    expect(await listObjects(world), name).toEqual([]);
    const left = await getCell(0)
      .prepare('SELECT count(*) AS n FROM objects_to_delete')
      .first<{ n: number }>();
    expect(left?.n, name).toBe(0);
  }
});

async function downloadText(person: Person, task: number, attachment: number): Promise<string> {
  const path = `/tasks/${task}/attachments/${attachment}/download`;
  const { body } = await sendTestRequest({ method: 'GET', path, person }, null);
  return (await send(new Request(body.url))).text();
}

function toConfirmRequest(person: Person, task: number, s3Key: string) {
  return { method: 'POST', path: `/tasks/${task}/attachments/confirm`, body: { s3Key }, person };
}
