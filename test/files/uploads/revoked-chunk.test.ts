import { expect, it } from 'vitest';
import { api, ORIGIN, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createApiKey, createTask, createWorld, type World } from '../../support/world.ts';
import { buildForm, createBytes, initUpload, readStorage } from './uploading.ts';

const FILE_BYTES = 100;

/** Sends the only chunk of a file in two parts, and runs `between` after the first part. */
async function sendSlowly(token: string, session: string, between: () => Promise<unknown>, isForm: boolean) {
  const bytes = createBytes(FILE_BYTES);
  const { form, headers } = isForm ? await buildForm(bytes) : { form: bytes, headers: {} };
  const half = form.byteLength - 30;
  const { readable, writable } = new FixedLengthStream(form.byteLength);
  const writer = writable.getWriter();
  const writing = (async () => {
    await writer.write(form.slice(0, half));
    await between();
    await writer.write(form.slice(half));
    await writer.close();
  })();
  const response = await send(
    new Request(`${ORIGIN}/v1/chunked-upload/chunk/${session}/1`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/octet-stream',
        ...headers,
        Authorization: `Bearer ${token}`,
        'Content-Length': String(form.byteLength),
      },
      body: readable,
    }),
  );
  await writing;
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const listMissingParts = async (world: World, session: string) =>
  (await api(world.people.member.token).get(`/chunked-upload/status/${session}`)).body.missingParts;

const runSql = ({ cell }: World, query: string, ...values: (string | number)[]) =>
  getCell(cell)
    .prepare(query)
    .bind(...values)
    .run();

for (const isForm of [false, true]) {
  const how = isForm ? 'as a form' : 'as raw bytes';

  it(`a chunk sent ${how} is discarded if the key is revoked during the upload`, async () => {
    const world = await createWorld();
    const { member } = world.people;
    const key = await createApiKey(member);
    const { body } = await initUpload(member, { projectId: world.projects.joined.id, fileSize: FILE_BYTES });
    const revokeKey = () =>
      runSql(world, 'UPDATE credentials SET revoked_at = 1 WHERE member = ?', member.member);
    const rejected = await sendSlowly(key, body.sessionId, revokeKey, isForm);
    expect([rejected.status, rejected.body.error?.code]).toEqual([401, 'unauthorized']);
    expect(await listMissingParts(world, body.sessionId)).toEqual([1]);
    expect((await api(member.token).post(`/chunked-upload/complete/${body.sessionId}`)).status).toBe(400);
  });

  it(`a chunk sent ${how} is discarded if the member is removed during the upload`, async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { body } = await initUpload(member, { projectId: world.projects.joined.id, fileSize: FILE_BYTES });
    const removeMember = () =>
      runSql(world, "UPDATE members SET user_id = 'usr_nobody' WHERE no = ?", member.member);
    expect((await sendSlowly(member.token, body.sessionId, removeMember, isForm)).status).toBe(401);
    await runSql(world, 'UPDATE members SET user_id = ? WHERE no = ?', member.userId, member.member);
    expect(await listMissingParts(world, body.sessionId)).toEqual([1]);
  });

  it(`a chunk sent ${how} is kept if the person is renamed or the task archived during the upload`, async () => {
    const world = await createWorld();
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id);
    const { body } = await initUpload(member, { taskId: task.id, fileSize: FILE_BYTES });
    const renameMember = async () => {
      await runSql(world, "UPDATE members SET name = 'Another' WHERE no = ?", member.member);
      await api(member.token).post(`/tasks/${task.id}/archive`);
    };
    expect((await sendSlowly(member.token, body.sessionId, renameMember, isForm)).status).toBe(200);
    expect(await listMissingParts(world, body.sessionId)).toEqual([]);
    const completeUpload = () => api(member.token).post(`/chunked-upload/complete/${body.sessionId}`);
    expect((await completeUpload()).status).toBe(400);
    await api(member.token).post(`/tasks/${task.id}/unarchive`);
    expect((await completeUpload()).status).toBe(201);
    expect(await readStorage(world)).toMatchObject({ used: FILE_BYTES, reserved: 0 });
  });
}
