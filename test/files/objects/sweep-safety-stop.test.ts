import { beforeEach, expect, it, vi } from 'vitest';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';
import { createAgedBucket } from '../attachments/object-deletion.ts';
import { listObjects } from '../attachments/presigning.ts';

const NIGHTLY = '17 3 * * *';
const FILES = createAgedBucket(500);
const runNightlyJobs = () => runCron(NIGHTLY, { FILES });

let world: World;

beforeEach(async () => {
  // R2 lists at most a thousand objects at a time.
  for (let { objects } = await env.FILES.list(); objects.length > 0; { objects } = await env.FILES.list())
    await env.FILES.delete(objects.map(({ key }) => key));
  for (const no of [0, 1]) {
    await getCell(no).batch(
      ['job_positions', 'attachments'].map((table) => getCell(no).prepare(`DELETE FROM ${table}`)),
    );
  }
  world = await createWorld();
});

async function createObjects(known: number, orphans: number, cell = 0): Promise<void> {
  const buildKeys = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${cell}/${world.id}/${name}-${index}`);
  const kept = buildKeys('known', known);
  await Promise.all([...kept, ...buildKeys('orphan', orphans)].map((key) => env.FILES.put(key, 'x')));
  await getCell(cell)
    .prepare(`
      INSERT INTO attachments (ws, project, file_name, file_type, file_size, s3_key, object_key, etag, uploaded_by, created_at)
      SELECT 1, 1, 'a', 'a/b', 1, value, value, 'x', 1, 1 FROM json_each(?)`)
    .bind(JSON.stringify(kept))
    .run();
}

const countObjects = async (cell: 0 | 1 = 0) => (await listObjects({ id: world.id, cell })).length;
const readSafetyStop = (cell = 0) =>
  getCell(cell)
    .prepare("SELECT position FROM job_positions WHERE name = 'objects.brake'")
    .first<string>('position');

it('the sweep deletes orphaned objects only if they are at most 1% of all objects', async () => {
  await createObjects(198, 2);
  await runNightlyJobs();
  expect([await countObjects(), await readSafetyStop()]).toEqual([198, null]);
  await createObjects(0, 3);
  await runNightlyJobs();
  expect([await countObjects(), await readSafetyStop()]).toEqual([201, '3 of 201']);
});

it('the sweep keeps the objects of a cell whose rows are missing, and deletes them once an operator confirms', async () => {
  await createObjects(30, 0);
  await createObjects(10, 1, 1);
  await getCell(0).prepare('DELETE FROM attachments').run();
  const lines = vi.spyOn(console, 'error');
  for (let nights = 0; nights < 3; nights += 1) await runNightlyJobs();
  expect(lines.mock.calls.filter(([line]) => String(line).includes('objects.sweep_refused'))).toHaveLength(3);
  lines.mockRestore();
  // The sweep continues in the other cell.
  expect([await countObjects(), await countObjects(1)]).toEqual([30, 10]);

  const confirm =
    "UPDATE job_positions SET position = 'confirmed' WHERE name = 'objects.brake' RETURNING position";
  await getCell(0).prepare(confirm).run();
  await runNightlyJobs();
  expect([await countObjects(), await readSafetyStop()]).toEqual([0, null]);
  await createObjects(0, 5);
  await runNightlyJobs();
  expect([await countObjects(), await readSafetyStop()]).toEqual([5, '5 of 5']);
});

it('the sweep resumes after an operator restores the rows and clears the safety stop', async () => {
  await createObjects(0, 20);
  await runNightlyJobs();
  await createObjects(20, 0);
  await env.FILES.delete(Array.from({ length: 20 }, (_, index) => `0/${world.id}/orphan-${index}`));
  await getCell(0).prepare("DELETE FROM job_positions WHERE name = 'objects.brake'").run();
  await env.FILES.put(`0/${world.id}/orphan-late`, 'x');
  await runNightlyJobs();
  expect([await countObjects(), await readSafetyStop()]).toEqual([20, null]);
});
