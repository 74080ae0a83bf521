import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld, type Workspace } from '../../support/world.ts';
import { openFilledSession, readStorage } from '../uploads/uploading.ts';
import { createAgedBucket, runObjectDeletion } from './object-deletion.ts';
import { confirmUpload, listObjects, presignAndUpload, presignUpload } from './presigning.ts';

const expireAll = ({ no, cell }: Pick<Workspace, 'no' | 'cell'>) =>
  getCell(cell).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(no).run();

const countUploads = async ({ no, cell }: Pick<Workspace, 'no' | 'cell'>) =>
  (
    await getCell(cell)
      .prepare('SELECT count(*) AS n FROM uploads WHERE ws = ?')
      .bind(no)
      .first<{ n: number }>()
  )?.n;

it('expired presigned uploads are deleted once, in every cell', async () => {
  for (const cell of [0, 1] as const) {
    const world = await createWorld({ cell });
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const put = await presignAndUpload(member, id);
    await presignUpload(member, id);
    await runCron('* * * * *');
    expect((await readStorage(world)).reserved).toBe(10);
    await expireAll(world);
    expect((await confirmUpload(member, id, { s3Key: put })).status).toBe(404);
    await Promise.all([runCron('* * * * *'), runCron('* * * * *')]);
    expect(await readStorage(world)).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
    expect(await countUploads(world)).toBe(0);
    expect(await env.FILES.head(put)).toBeNull();
  }
});

it('confirmed files are kept, and later uploads to their presigned URLs are deleted', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const [kept, overwritten] = [await presignAndUpload(member, id), await presignAndUpload(member, id)];
  for (const s3Key of [kept, overwritten]) await confirmUpload(member, id, { s3Key });
  const copies = await listObjects(world);
  expect(copies).toHaveLength(2);
  await env.FILES.put(overwritten, 'something much larger');
  await expireAll(world);
  await runCron('* * * * *');
  expect(await listObjects(world)).toEqual(copies);
  expect(await readStorage(world)).toMatchObject({ used: 10, reserved: 0 });
  expect(await countUploads(world)).toBe(0);
});

it('upload sessions expire even if their alarm never runs', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await openFilledSession(member, { projectId: world.projects.joined.id });
  await expireAll(world);
  await runCron('* * * * *');
  expect(await readStorage(world)).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
  const isEmpty = await runInDurableObject(
    env.UPLOAD_SESSION.getByName(session),
    (_instance, state) => [...state.storage.kv.list()].length === 0,
  );
  expect(isEmpty).toBe(true);
  expect((await api(member.token).get(`/chunked-upload/status/${session}`)).status).toBe(404);
});

it('an expired upload is deleted later if R2 fails, and other uploads are deleted as usual', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const s3Key = await presignAndUpload(member, id);
  const other = await presignAndUpload(member, id);
  await expireAll(world);
  const FILES = new Proxy(env.FILES, {
    get(target, name) {
      if (name === 'delete') {
        return (key: string) =>
          key === s3Key ? Promise.reject(new Error('R2 is not there')) : target.delete(key);
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await runCron('* * * * *', { FILES });
  expect(await env.FILES.head(other)).toBeNull();
  expect(await env.FILES.head(s3Key)).not.toBeNull();
  // The first attempt deleted the row, but the object is still waiting to be deleted.
  await runObjectDeletion();
  expect(await env.FILES.head(s3Key)).toBeNull();
});

it('the sweep deletes old orphaned objects, resumes where it stopped, and keeps all other objects', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id) });
  const [attached] = (await listObjects(world)) as [string];
  const pending = await presignAndUpload(member, id);
  const orphans = [`0/${world.id}/orphan-a`, `1/${world.id}/orphan-b`];
  const foreign = ['other/thing', `77/${world.id}/of-an-unbound-cell`];
  for (const key of [...orphans, ...foreign]) await env.FILES.put(key, 'x');
  await runCron('17 3 * * *');
  expect(await env.FILES.head(orphans[0] as string)).not.toBeNull();

  const FILES = createAgedBucket(2);
  await runCron('17 3 * * *', { FILES });
  await runCron('17 3 * * *', { FILES });
  for (const key of orphans) expect(await env.FILES.head(key), key).toBeNull();
  for (const key of [...foreign, attached, pending]) expect(await env.FILES.head(key), key).not.toBeNull();
});
