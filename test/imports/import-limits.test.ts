import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { continueImports } from '../../src/imports/run/run-imports.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { findInconsistencies } from '../suites/faults/databases.ts';
import { api } from '../support/api.ts';
import { runCron } from '../support/cron.ts';
import { getCell } from '../support/env.ts';
import { openScope } from '../support/scope.ts';
import { createApiKey, createProject, createWorld, type World } from '../support/world.ts';
import { addCsvFile, prepareImport } from './prepare-import.ts';

const MINUTE = '* * * * *';
const DAY_MS = 24 * 60 * 60_000;
const db = getCell(0);
let world: World;
let project: number;
const createOwnerClient = () => api(world.people.owner.token);

beforeEach(async () => {
  await db.prepare("UPDATE imports SET status = 'canceled' WHERE status = 'running'").run();
  world = await createWorld({ cell: 0 });
  project = (await createProject(world, { owner: world.people.owner })).id;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const setRunning = (id: number) =>
  db.prepare("UPDATE imports SET status = 'running', expires_at = NULL WHERE id = ?").bind(id).run();
const getImport = async (id: number) => (await createOwnerClient().get(`/imports/${id}`)).body;
const prepareText = (text?: string) => prepareImport(world, world.people.owner, project, text);
const listCreatedTasks = async (ids: readonly number[]) => {
  const { results } = await db
    .prepare('SELECT made FROM imports WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id')
    .bind(JSON.stringify(ids))
    .all<{ made: number }>();
  return results.map(({ made }) => made);
};

describe('a workspace', () => {
  it("has at most 20 imports that haven't started", async () => {
    const attachmentId = await addCsvFile(world, world.people.owner, project);
    const postImport = () => createOwnerClient().post('/imports', { projectId: project, attachmentId });
    const ids: number[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await postImport()).body.id);
    const rejected = await postImport();
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain('up to 20 imports');
    expect((await createOwnerClient().get('/imports')).body.meta.total).toBe(20);
    expect((await createOwnerClient().post(`/imports/${ids[0]}/cancel`)).body).toMatchObject({
      report: null,
    });
    expect((await postImport()).status).toBe(201);
  });

  it('runs at most 2 imports at a time', async () => {
    const [first, second, third] = [await prepareText(), await prepareText(), await prepareText()];
    await setRunning(first);
    await setRunning(second);
    const rejected = await createOwnerClient().post(`/imports/${third}/start`);
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain('up to 2 imports');
    expect((await getImport(third)).status).toBe('ready');
    await createOwnerClient().post(`/imports/${first}/cancel`);
    expect((await createOwnerClient().post(`/imports/${third}/start`)).status).toBe(200);
  });

  it('keeps unstarted imports for 7 days, and import reports for 90 days', async () => {
    const [old, recent, finished] = [await prepareText(), await prepareText(), await prepareText()];
    await createOwnerClient().post(`/imports/${finished}/start`);
    const setAge = (days: number) =>
      db
        .prepare('UPDATE imports SET expires_at = expires_at - ? WHERE ws = ? AND id <> ?')
        .bind(days * DAY_MS, world.no, days === 7 ? recent : 0)
        .run();
    await setAge(7);
    await runCron(MINUTE);
    expect((await createOwnerClient().get(`/imports/${old}`)).status).toBe(404);
    expect((await getImport(recent)).report).not.toBeNull();
    expect((await getImport(finished)).report).not.toBeNull();
    await setAge(83);
    await runCron(MINUTE);
    expect((await createOwnerClient().get(`/imports/${recent}`)).status).toBe(404);
    expect(await getImport(finished)).toMatchObject({ status: 'completed', made: 2, report: null });
    expect(await findInconsistencies()).toEqual([]);
  });
});

describe('the import job', () => {
  it('runs one import per workspace, starting with the one that has waited longest', async () => {
    const other = await createWorld({ cell: 0 });
    const [first, second] = [await prepareText(), await prepareText('ID,Task\n3,Third\n4,Fourth')];
    const theirs = await prepareImport(other, other.people.owner, other.projects.joined.id);
    for (const id of [first, second, theirs]) await setRunning(id);
    await continueImports.run(openScope(), 0, unlimitedAllowance);
    expect(await listCreatedTasks([first, second, theirs])).toEqual([2, 0, 2]);
    await continueImports.run(openScope(), 0, unlimitedAllowance);
    expect(await listCreatedTasks([first, second, theirs])).toEqual([2, 2, 2]);
  });

  it('stops once planning has taken five seconds, and starts with the other imports next time', async () => {
    const other = await createWorld({ cell: 0 });
    const ids = [
      await prepareText(),
      await prepareImport(other, other.people.owner, other.projects.joined.id),
    ];
    for (const id of ids) await setRunning(id);
    // The clock starts in the past, so that the tasks of later tests are newer.
    let time = Date.now() - 3_600_000;
    const scope = openScope(time);
    vi.spyOn(Date, 'now').mockImplementation(() => (time += 6_000));
    expect(await continueImports.run(scope, 0, unlimitedAllowance)).toBe(true);
    expect(await listCreatedTasks(ids)).toEqual([2, 0]);
    await continueImports.run(scope, 0, unlimitedAllowance);
    expect(await listCreatedTasks(ids)).toEqual([2, 2]);
  });

  it('counts a crash as a failure, and gives up after five failures', async () => {
    const id = await prepareText();
    await setRunning(id);
    const scope = openScope();
    let stopRun = () => {};
    const readNever = () => {
      stopRun();
      return new Promise(() => undefined);
    };
    const dying = {
      ...scope,
      env: { ...scope.env, FILES: { get: readNever } },
      cell: scope.cell.bind(scope),
    } as unknown as typeof scope;
    for (let run = 0; run < 5; run += 1) {
      const stopped = new Promise<void>((resolve) => {
        stopRun = resolve;
      });
      await Promise.race([continueImports.run(dying, 0, unlimitedAllowance), stopped]);
    }
    await runCron(MINUTE);
    expect(await getImport(id)).toMatchObject({ status: 'failed', made: 0 });
  });
});

describe('the person who starts an import', () => {
  it('becomes the creator of the imported tasks, even if the person who prepared the import is no longer allowed to import', async () => {
    const { admin, owner: starter } = world.people;
    const id = await prepareImport(world, admin, project);
    expect((await getImport(id)).createdBy.id).toBe(admin.userId);
    await db
      .prepare("UPDATE members SET role = 'member', version = version + 1 WHERE no = ?")
      .bind(admin.member)
      .run();
    await createOwnerClient().post(`/imports/${id}/start`);
    const done = await getImport(id);
    expect(done).toMatchObject({ status: 'completed', made: 2, createdBy: { id: starter.userId } });
    const { body } = await createOwnerClient().get(`/tasks?projectId=${project}&expand=detail`);
    expect(body.data[0].createdBy.id).toBe(starter.userId);
  });

  it.each([
    ['was revoked', 'UPDATE credentials SET revoked_at = 1 WHERE id = ?'],
    ['has expired', 'UPDATE credentials SET expires_at = 1 WHERE id = ?'],
  ])("can't create tasks with a key that %s", async (_state, change) => {
    const id = await prepareText();
    const key = await createApiKey(world.people.owner);
    const attachmentId = await addCsvFile(world, world.people.owner, project);
    const running = (await api(key).post('/imports', { projectId: project, attachmentId })).body.id;
    await setRunning(running);
    await db
      .prepare(change)
      .bind(await db.prepare('SELECT credential FROM imports WHERE id = ?').bind(running).first('credential'))
      .run();
    await runCron(MINUTE);
    const ended = await getImport(running);
    expect(ended).toMatchObject({ status: 'failed', made: 0 });
    expect(ended.problem).toContain('was revoked or has expired');
    await createOwnerClient().post(`/imports/${id}/start`);
    expect(await getImport(id)).toMatchObject({ status: 'completed', made: 2 });
  });
});
