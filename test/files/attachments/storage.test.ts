import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { createBytes, initUpload, openFilledSession, putChunk, readStorage } from '../uploads/uploading.ts';
import { presignUpload } from './presigning.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

it("upload sessions opened in parallel can't reserve more than the free plan's 1 GiB", async () => {
  const world = await createWorld({ plan: 'free' });
  const { member } = world.people;
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      initUpload(member, { projectId: world.projects.joined.id, fileSize: 100 * MIB }),
    ),
  );
  const opened = answers.filter((each) => each.status === 201);
  const rejected = answers.filter((each) => each.status === 403);
  expect([opened.length, rejected.length]).toEqual([10, 20]);
  for (const { body } of rejected) {
    expect(body.error.code).toBe('forbidden_plan');
    expect(body.error.message).toContain(
      '104,857,600 bytes requested, 1,048,576,000 of 1,073,741,824 in use',
    );
  }
  const storage = await readStorage(world);
  expect(storage).toMatchObject({ used: 0, reserved: 1000 * MIB, trulyReserved: 1000 * MIB });
  await api(member.token).delete(`/chunked-upload/${opened[0]?.body.sessionId}`);
  expect(
    (await initUpload(member, { projectId: world.projects.joined.id, fileSize: 100 * MIB })).status,
  ).toBe(201);
});

it.each([
  ['free', GIB],
  ['medium', 50 * GIB],
  ['pro', 1024 * GIB],
] as const)('the %s plan allows exactly %i bytes, for every kind of upload', async (plan, allowed) => {
  const world = await createWorld({ plan });
  const { member } = world.people;
  const target = { projectId: world.projects.joined.id };
  expect((await initUpload(member, { ...target, fileSize: allowed + 1 })).status).toBe(403);
  const whole = await initUpload(member, { ...target, fileSize: allowed });
  expect(whole.status).toBe(201);
  const task = await createTask(member, world.projects.joined.id);
  expect((await presignUpload(member, task.id, { fileSize: 1 })).status).toBe(403);
  await api(member.token).delete(`/chunked-upload/${whole.body.sessionId}`);
  expect((await presignUpload(member, task.id, { fileSize: 1 })).status).toBe(200);
  expect((await initUpload(member, { ...target, fileSize: allowed })).status).toBe(403);
});

it("a larger plan's storage limit applies immediately", async () => {
  const world = await createWorld({ plan: 'free' });
  const { member } = world.people;
  const target = { projectId: world.projects.joined.id };
  expect((await initUpload(member, { ...target, fileSize: 2 * GIB })).status).toBe(403);
  await getCell(0).prepare("UPDATE workspaces SET plan = 'medium' WHERE no = ?").bind(world.no).run();
  expect((await initUpload(member, { ...target, fileSize: 2 * GIB })).status).toBe(201);
});

it('the storage counters equal the sums of the rows after a random sequence of operations', async () => {
  const worlds = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  const random = createRandom(4);
  const tasks = new Map<World, number>();
  for (const world of worlds) {
    tasks.set(world, (await createTask(world.people.lead, world.projects.joined.id)).id);
  }
  const open: { world: World; session: string }[] = [];
  const presigned: { world: World; s3Key: string; size: number }[] = [];

  const runStep = async () => {
    const world = random.pick(worlds);
    const { lead } = world.people;
    const task = tasks.get(world) as number;
    const roll = random.integer(0, 99);
    if (roll < 25) {
      const bytes = createBytes(random.integer(1, 5000));
      const target = random.chance(0.5) ? { taskId: task } : { projectId: world.projects.joined.id };
      open.push({ world, session: await openFilledSession(lead, target, bytes) });
    } else if (roll < 45) {
      const size = random.integer(1, 5000);
      const { body } = await presignUpload(lead, task, { fileSize: size });
      presigned.push({ world, s3Key: body.s3Key, size });
    } else if (roll < 75 && open.length > 0) {
      const { world: place, session } = random.pick(open);
      const me = api(place.people.lead.token);
      if (random.chance(0.6)) await me.post(`/chunked-upload/complete/${session}`);
      else if (random.chance(0.7)) await me.delete(`/chunked-upload/${session}`);
      else await putChunk(place.people.lead, session, 1, createBytes(3));
    } else if (presigned.length > 0) {
      const { world: place, s3Key, size } = random.pick(presigned);
      if (random.chance(0.6)) await env.FILES.put(s3Key, createBytes(random.chance(0.7) ? size : size + 1));
      const body = { s3Key };
      await api(place.people.lead.token).post(`/tasks/${tasks.get(place)}/attachments/confirm`, body);
    }
  };
  for (let done = 0; done < 150; done += 3) await Promise.all([runStep(), runStep(), runStep()]);

  for (const world of worlds) {
    const { used, reserved, trulyUsed, trulyReserved } = await readStorage(world);
    expect(trulyUsed).toBeGreaterThan(0);
    expect([used, reserved]).toEqual([trulyUsed, trulyReserved]);
    const { results } = await getCell(world.cell)
      .prepare(
        'SELECT t.id FROM tasks t WHERE t.ws = ? AND (SELECT sum(e.entries) FROM events e WHERE e.task = t.id) <> t.activity_count',
      )
      .bind(world.no)
      .all();
    expect(results).toEqual([]);
    const recorded = await getCell(world.cell)
      .prepare(
        "SELECT (SELECT count(*) FROM attachments WHERE task = ?1) AS files, (SELECT count(*) FROM events WHERE task = ?1 AND type = 'attachment.created') AS entries",
      )
      .bind(tasks.get(world))
      .first<{ files: number; entries: number }>();
    expect(recorded?.entries).toBe(recorded?.files);
  }
});
