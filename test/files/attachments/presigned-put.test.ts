import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';
import { fetchUrl } from '../uploads/uploading.ts';
import { runObjectDeletion } from './object-deletion.ts';
import { confirmUpload, listObjects, presignUpload, putBytes } from './presigning.ts';

const fetchBytes = async (url: string, token: string) => {
  const redirect = await fetchUrl(url, { Authorization: `Bearer ${token}` });
  if (redirect.status !== 302) return redirect.status;
  const file = await fetchUrl(redirect.headers.get('Location') as string);
  return file.status === 200 ? file.text() : file.status;
};

it('a confirmed file stays the same when its presigned URL is used again', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const { body: signed } = await presignUpload(member, id);
  expect(await putBytes(signed.uploadUrl, 'hello')).toBe(200);
  expect(await fetchBytes(signed.fileUrl, member.token)).toBe(404);
  const { body: attachment } = await confirmUpload(member, id, { s3Key: signed.s3Key });
  const download = await api(member.token).get(`/tasks/${id}/attachments/${attachment.id}/download`);
  // The original object is deleted, and no upload URL was ever signed for the copy.
  const [copy, ...others] = await listObjects(world);
  expect([copy === signed.s3Key, others]).toEqual([false, []]);

  expect(await putBytes(signed.uploadUrl, 'HELLO')).toBe(200);
  expect(await (await fetchUrl(download.body.url)).text()).toBe('hello');
  expect(await fetchBytes(signed.fileUrl, member.token)).toBe('hello');
  expect(await fetchBytes(attachment.fileUrl, member.token)).toBe('hello');
  const again = await confirmUpload(member, id, { s3Key: signed.s3Key });
  expect([again.status, again.body]).toEqual([200, attachment]);

  await getCell(0).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(world.no).run();
  await runCron('* * * * *');
  expect(await listObjects(world)).toEqual([copy]);
  expect(await fetchBytes(signed.fileUrl, member.token)).toBe('hello');
  expect((await confirmUpload(member, id, { s3Key: signed.s3Key })).body).toEqual(attachment);
});

it('a presigned URL accepts only the declared number of bytes', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const { body } = await presignUpload(member, id);
  const large = 'x'.repeat(20 * 1024 ** 2);
  expect(await putBytes(body.uploadUrl, large)).toBe(403);
  expect(await putBytes(body.uploadUrl, 'hi')).toBe(403);
  expect(await listObjects(world)).toEqual([]);
  expect(await putBytes(body.uploadUrl, 'hello')).toBe(200);
  expect((await confirmUpload(member, id, { s3Key: body.s3Key })).status).toBe(201);
});

it('bytes that reach a presigned URL after it has expired are deleted', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const { body } = await presignUpload(member, id);
  await getCell(0).prepare('UPDATE uploads SET expires_at = 1 WHERE ws = ?').bind(world.no).run();
  await runCron('* * * * *');
  // Simulates a PUT that started in time but took hours.
  await env.FILES.put(body.s3Key, 'hello');
  await runObjectDeletion();
  expect(await listObjects(world)).toEqual([]);
});
