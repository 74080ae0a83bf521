import { afterEach, expect, it, vi } from 'vitest';
import { deleteDue } from '../../files/attachments/cleaning.ts';
import { confirm, objectsOf, uploaded } from '../../files/attachments/presigning.ts';
import { storageOf } from '../../files/uploads/uploading.ts';
import { meteredEnv, send } from '../../support/api.ts';
import { tick } from '../../support/cron.ts';
import { cellOf, env } from '../../support/env.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';
import { ask } from './asking.ts';
import { faultyD1, nth } from './faulty-d1.ts';
import { Faults, faultyBucket, type Moment } from './faulty-files.ts';
import { whatIsOff } from './store.ts';

const moments: readonly Moment[] = ['before', 'after'];

afterEach(async () => {
  expect(await whatIsOff()).toEqual([]);
});

it('an upload is confirmed once, and only after R2 has returned its metadata', async () => {
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

it('the storage reserved for a wrong object is freed once, even if R2 fails to delete the object', async () => {
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

it('confirming an upload leaves exactly one object, even if the copy or its response is lost', async () => {
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

it("a copy that was never recorded is deleted, and can't be recorded later", async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await uploaded(member, id);
  // The batch that records the copy fails, and the client doesn't retry.
  const failing = { CELL_0: faultyD1(meteredEnv.CELL_0, nth(3, 'lost before it runs')).d1 };
  expect((await ask(confirmOf(member, id, s3Key), null, failing)).status).toBe(500);
  expect(await objectsOf(world)).toHaveLength(2);
  await deleteDue();
  expect(await objectsOf(world)).toEqual([s3Key]);

  // If the cron deletes the copy before it is recorded, the confirmation makes a second copy.
  const real = globalThis.fetch;
  const copied = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await real(...args);
    if (copied.mock.calls.length === 1) await deleteDue();
    return response;
  });
  const confirmed = await ask(confirmOf(member, id, s3Key), null);
  expect([confirmed.status, copied.mock.calls.length]).toEqual([201, 2]);
  vi.restoreAllMocks();
  await deleteDue();
  expect(await bytesOf(member, id, confirmed.body.id)).toBe('hello');
  expect(await objectsOf(world)).toHaveLength(1);
});

it('an upload that is replaced while it is copied is checked and copied again', async () => {
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

it('a confirmed file is kept even if R2 fails to delete the original, which is deleted when its URL expires', async () => {
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

it('a removed file is deleted once, even if R2 or the deletion queue fails', async () => {
  const plans: [string, () => Partial<Env>][] = [
    ...moments.map((moment): [string, () => Partial<Env>] => [
      `R2 ${moment}`,
      () => ({ FILES: faultyBucket(new Faults({ delete: moment })) }),
    ]),
    ['list', () => ({ CELL_0: faultyD1(meteredEnv.CELL_0, nth(3, 'lost before it runs')).d1 })],
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

async function bytesOf(person: Person, task: number, attachment: number): Promise<string> {
  const path = `/tasks/${task}/attachments/${attachment}/download`;
  const { body } = await ask({ method: 'GET', path, person }, null);
  return (await send(new Request(body.url))).text();
}

function confirmOf(person: Person, task: number, s3Key: string) {
  return { method: 'POST', path: `/tasks/${task}/attachments/confirm`, body: { s3Key }, person };
}
