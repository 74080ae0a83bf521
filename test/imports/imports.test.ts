// This file is long because its tests share the functions that run an import from end to end.
import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { runCron } from '../support/cron.ts';
import { env, getCell } from '../support/env.ts';
import { addPerson, createProject, createTask, createWorld, type World } from '../support/world.ts';
import { addCsvFile, prepareImport } from './prepare-import.ts';

const MINUTE = '* * * * *';
let world: World;
let project: number;
const createOwnerClient = () => api(world.people.owner.token);

beforeEach(async () => {
  world = await createWorld();
  project = (await createProject(world, { owner: world.people.owner })).id;
});

async function importText(text: string, options: Record<string, unknown> = {}) {
  const attachmentId = await addCsvFile(world, world.people.owner, project, text);
  const { body } = await createOwnerClient().post('/imports', {
    projectId: project,
    attachmentId,
    ...options,
  });
  await createOwnerClient().post(`/imports/${body.id}/start`);
  return (await createOwnerClient().get(`/imports/${body.id}`)).body;
}
const listTasks = async () =>
  (await createOwnerClient().get(`/tasks?projectId=${project}&expand=detail&status=open,completed&limit=50`))
    .body.data;
const countRows = (table: string) =>
  getCell(world.cell).prepare(`SELECT count(*) AS n FROM ${table} WHERE ws = ?`).bind(world.no).first('n');

describe('an import', () => {
  it('creates tasks with every value that it recognizes, and keeps other values as text', async () => {
    const { member } = world.people;
    const done = await importText(
      [
        'Issue key;Summary;Description;Status;Priority;Assignee;Labels;Labels;Due Date;Estimate;Sprint;Parent;Created',
        `X-1;Launch;**Bold** text;In Arbeit;High;${member.email};web;copy;4/12/2026 17:30;2,5;Sprint 4;;2026-01-05`,
        'X-2;Write <b>;;Done;Urgent;Nobody Here;;;;;;X-1;2026-01-06',
      ].join('\n'),
    );
    expect(done).toMatchObject({ status: 'completed', total: 2, existing: 0, made: 2, problem: null });
    const [second, first] = await listTasks();
    expect(first).toMatchObject({
      name: 'Launch',
      status: 'in_progress',
      priority: 'high',
      assignee: { id: member.userId },
      tags: ['web', 'copy'],
      deadline: '2026-12-04',
      customEstimatedHours: '2.5',
    });
    expect(first.description).toContain('<strong>Bold</strong> text');
    expect(first.description).toContain('<strong>Sprint</strong>: Sprint 4');
    expect(second).toMatchObject({
      name: 'Write <b>',
      status: 'completed',
      priority: 'medium',
      assignee: null,
    });
    expect(second.description).toContain('<strong>Assignee</strong>: Nobody Here');
    expect(second.description).toContain('<strong>Priority</strong>: Urgent');
    const { body } = await createOwnerClient().get(`/tasks/${second.id}?expand=structure`);
    expect(body.parent).toEqual({ id: first.id, name: 'Launch' });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('reports, before it starts, exactly what it will do', async () => {
    const id = await prepareImport(
      world,
      world.people.owner,
      project,
      'ID,Task,Status,Phase\n1,A,Done,x\n2,B,Odd,',
    );
    const ready = (await createOwnerClient().get(`/imports/${id}`)).body;
    expect(ready).toMatchObject({ status: 'ready', total: 2, existing: 0, made: 0 });
    expect(ready.report.columns.map(({ use }: { use: string }) => use)).toEqual([
      'id',
      'name',
      'status',
      'text',
    ]);
    expect(ready.report.values).toEqual([
      { column: 2, text: 'Odd', count: 1, means: null, personName: null },
      { column: 2, text: 'Done', count: 1, means: 'completed', personName: null },
    ]);
    expect(await listTasks()).toEqual([]);
    await createOwnerClient().post(`/imports/${id}/start`);
    const done = (await createOwnerClient().get(`/imports/${id}`)).body;
    expect(done.report).toEqual(ready.report);
    expect(done).toMatchObject({ status: 'completed', made: 2 });
  });

  it('does what its report says, even if statuses or people have since changed', async () => {
    const db = getCell(world.cell);
    const labels = ['To do', 'Doing', 'Review', 'With client', 'Launched'];
    const text = 'Task,Status,Assignee\nA,Launched,New Colleague';
    const id = await prepareImport(world, world.people.owner, project, text);
    expect((await createOwnerClient().get(`/imports/${id}`)).body.report.values).toMatchObject([
      { text: 'Launched', means: null },
      { text: 'New Colleague', means: null },
    ]);
    await db
      .prepare('UPDATE projects SET task_columns = ? WHERE id = ?')
      .bind(JSON.stringify(labels.map((label) => ({ label, isHidden: false, limit: null }))), project)
      .run();
    const { member } = await addPerson(world, 'new', 'member');
    await db
      .prepare("UPDATE members SET name = 'New Colleague', version = version + 1 WHERE no = ?")
      .bind(member)
      .run();
    await createOwnerClient().post(`/imports/${id}/start`);
    expect(await listTasks()).toMatchObject([{ name: 'A', status: 'todo', assignee: null }]);
  });

  it('uses the columns and values that the person chose', async () => {
    const id = await prepareImport(world, world.people.owner, project, 'A,B,C\nx,Odd,secret');
    const { body } = await createOwnerClient().patch(`/imports/${id}`, {
      columns: ['name', 'status', 'skip'],
      choices: [{ column: 1, text: 'Odd', means: 'client_review' }],
    });
    expect(body.report.columns[2]).toMatchObject({ counts: { leftOut: 1 } });
    await createOwnerClient().post(`/imports/${id}/start`);
    expect(await listTasks()).toMatchObject([{ name: 'x', status: 'client_review', description: null }]);
  });

  it('keeps recognized values as text if the person prefers that', async () => {
    const choices = [
      { column: 1, text: 'Done', means: 'text' },
      { column: 2, text: 'High', means: 'text' },
      { column: 3, text: world.people.member.email, means: 'text' },
    ];
    await importText(`Task,Status,Priority,Assignee\nA,Done,High,${world.people.member.email}`, { choices });
    const [task] = await listTasks();
    expect(task).toMatchObject({ status: 'todo', priority: 'medium', assignee: null });
    for (const text of ['Done', 'High', world.people.member.email]) expect(task.description).toContain(text);
  });

  it('keeps earlier choices until their column is used for something else', async () => {
    const id = await prepareImport(world, world.people.owner, project, 'Task,Status\nA,One\nB,Two\nC,Three');
    const setChoices = async (body: Record<string, unknown>) =>
      (await createOwnerClient().patch(`/imports/${id}`, body)).body.report.values.map(
        ({ text, means }: Record<string, unknown>) => `${text} ${means}`,
      );
    const one = { column: 1, text: 'One', means: 'completed' };
    const two = { column: 1, text: 'Two', means: 'in_progress' };
    await setChoices({ choices: [one] });
    expect((await setChoices({ choices: [two] })).sort()).toEqual([
      'One completed',
      'Three null',
      'Two in_progress',
    ]);
    expect(await setChoices({ columns: ['name', 'priority'], choices: [] })).not.toContain('One completed');
    expect((await setChoices({ columns: ['name', 'status'], choices: [] })).sort()).toEqual([
      'One null',
      'Three null',
      'Two null',
    ]);
    const many = Array.from({ length: 200 }, (_, index) => ({ ...one, text: `v${index}` }));
    for (let part = 0; part < 5; part += 1)
      await setChoices({ choices: many.map((each) => ({ ...each, text: `${part} ${each.text}` })) });
    expect((await createOwnerClient().patch(`/imports/${id}`, { choices: [one] })).status).toBe(400);
  });

  it('recognizes already imported rows by source and id, and reports rows whose task has a different name', async () => {
    await importText('ID,Task\n1,A\n2,B');
    await getCell(world.cell)
      .prepare("UPDATE attachments SET file_name = 'other.csv' WHERE ws = ?")
      .bind(world.no)
      .run();
    const attachmentId = await getCell(world.cell)
      .prepare('SELECT max(id) AS id FROM attachments WHERE ws = ?')
      .bind(world.no)
      .first<number>('id');
    const other = (await createOwnerClient().post('/imports', { projectId: project, attachmentId })).body;
    expect(other).toMatchObject({ source: 'other.csv', existing: 0, total: 2 });
    const same = (await createOwnerClient().patch(`/imports/${other.id}`, { source: 'tasks.csv' })).body;
    expect(same).toMatchObject({ source: 'tasks.csv', existing: 2, report: { notes: [] } });
    const { body } = await createOwnerClient().post('/imports', {
      projectId: project,
      attachmentId: await addCsvFile(world, world.people.owner, project, 'ID,Task\n1,Something else\n2,B'),
    });
    expect(body).toMatchObject({ source: 'tasks.csv', existing: 2 });
    expect(body.report.notes).toEqual([
      { row: 1, text: "Has the same id as 'A', which was already imported. The row is left out." },
    ]);
  });

  it('changes nothing if the same rows were already imported', async () => {
    const text = 'ID,Task\n1,A\n2,B';
    await importText(text);
    const before = await listTasks();
    expect(await importText(text)).toMatchObject({ total: 2, existing: 2, made: 0, status: 'completed' });
    expect(await listTasks()).toEqual(before);
    expect(await importText(`${text}\n3,C`)).toMatchObject({ total: 3, existing: 2, made: 1 });
    expect(await importText(text, { source: 'other' })).toMatchObject({ existing: 0, made: 2 });
  });

  it('recognizes already imported rows without an id only if the file is unchanged', async () => {
    await importText('Task,Status\nA,Todo\nB,Todo');
    expect(await importText('Task,Status\nA,Todo\nB,Todo')).toMatchObject({ existing: 2, made: 0 });
    expect(await importText('Task,Status\nA,Todo\nB,Done')).toMatchObject({ existing: 0, made: 2 });
  });

  it('notifies no one, and adds only assignees as followers', async () => {
    const { member, owner: importer } = world.people;
    await importText(`Task,Assignee\nA,${member.email}`);
    expect((await api(member.token).get('/notifications/count')).body.count).toBe(0);
    const [{ id }] = await listTasks();
    const { followers } = (await createOwnerClient().get(`/tasks/${id}`)).body;
    expect(followers.map((each: { id: string }) => each.id)).toEqual([member.userId]);
    expect(followers).not.toContainEqual(expect.objectContaining({ id: importer.userId }));
  });

  it('is continued by the cron job, with the same result as without an interruption', async () => {
    const rows = Array.from(
      { length: 180 },
      (_, index) => `${index + 1},Task ${index + 1},${index % 4 ? '1' : ''}`,
    );
    const id = await prepareImport(world, world.people.owner, project, `ID,Task,Parent\n${rows.join('\n')}`);
    const db = getCell(world.cell);
    await db.prepare("UPDATE imports SET status = 'running' WHERE id = ?").bind(id).run();
    let batches = 0;
    const failing = new Proxy(db, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
        return (statements: D1PreparedStatement[]) => {
          batches += 1;
          if (batches % 3 === 0) throw new Error('Network connection lost');
          return target.batch(statements);
        };
      },
    });
    for (let turn = 0; turn < 30; turn += 1) {
      await runCron(MINUTE, { [`CELL_${world.cell}`]: failing } as Partial<Env>);
      await db.prepare('UPDATE imports SET failures = 0 WHERE id = ?').bind(id).run();
      if ((await createOwnerClient().get(`/imports/${id}`)).body.status !== 'running') break;
    }
    await runCron(MINUTE);
    const { body } = await createOwnerClient().get(`/imports/${id}`);
    expect(body).toMatchObject({ status: 'completed', total: 180, made: 180, existing: 0 });
    expect((await createOwnerClient().get(`/tasks?projectId=${project}`)).body.meta.total).toBe(180);
    expect(await countRows('imported_tasks')).toBe(180);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it("creates no tasks after it is canceled, and can't be started again", async () => {
    const id = await prepareImport(world, world.people.owner, project);
    await getCell(world.cell).prepare("UPDATE imports SET status = 'running' WHERE id = ?").bind(id).run();
    expect((await createOwnerClient().post(`/imports/${id}/cancel`)).body).toMatchObject({
      status: 'canceled',
      made: 0,
    });
    await runCron(MINUTE);
    expect(await listTasks()).toEqual([]);
    expect((await createOwnerClient().post(`/imports/${id}/start`)).status).toBe(400);
    expect((await createOwnerClient().post(`/imports/${id}/cancel`)).status).toBe(200);
  });

  it.each([
    ['the file was deleted', 'DELETE FROM attachments WHERE ws = ?', 'The file was deleted.'],
    [
      'the person is no longer an admin',
      "UPDATE members SET role = 'member', version = version + 1 WHERE ws = ? AND role = 'owner'",
      'can no longer import',
    ],
  ])('fails if %s', async (_reason, change, problem) => {
    const id = await prepareImport(world, world.people.owner, project);
    const db = getCell(world.cell);
    const key = await db.prepare('SELECT object_key FROM imports WHERE id = ?').bind(id).first('object_key');
    await db.prepare("UPDATE imports SET status = 'running' WHERE id = ?").bind(id).run();
    if (change.startsWith('DELETE')) await env.FILES.delete(String(key));
    else await db.prepare(change).bind(world.no).run();
    await runCron(MINUTE);
    const { body } = await api(world.people.admin.token).get(`/imports/${id}`);
    expect(body).toMatchObject({ status: 'failed', made: 0 });
    expect(body.problem).toContain(problem);
  });

  it('creates a task without a parent if the parent was archived after an earlier import', async () => {
    await importText('ID,Task,Parent\n1,A,');
    const [{ id }] = await listTasks();
    await createOwnerClient().post(`/tasks/${id}/archive`);
    expect(await importText('ID,Task,Parent\n1,A,\n2,B,1')).toMatchObject({ made: 1, status: 'completed' });
    const { body } = await createOwnerClient().get(`/tasks?projectId=${project}&expand=structure`);
    expect(body.data).toMatchObject([{ name: 'B', parent: null }]);
  });

  it('is available only to owners and admins', async () => {
    const attachmentId = await addCsvFile(world, world.people.owner, project);
    for (const [name, status] of [
      ['admin', 201],
      ['lead', 403],
      ['member', 403],
      ['client', 403],
    ] as const) {
      const { token } = world.people[name];
      expect((await api(token).post('/imports', { projectId: project, attachmentId })).status, name).toBe(
        status,
      );
    }
  });

  it("rejects files that it can't read, and unknown projects and files", async () => {
    const startImport = async (text: string, options = {}) => {
      const attachmentId = await addCsvFile(world, world.people.owner, project, text);
      return createOwnerClient().post('/imports', { projectId: project, attachmentId, ...options });
    };
    expect((await startImport('')).body.error.message).toContain('has no rows');
    expect((await startImport('Task\nA\n"B')).body.error.message).toContain('never closed');
    expect((await startImport('A,B\n1,2', { columns: ['id', 'text'] })).body.error.message).toContain(
      "use 'name'",
    );
    expect((await startImport('A,B\n1,2', { columns: ['name', 'id', 'text'] })).body.error.message).toContain(
      '2 columns; got 3',
    );
    expect((await createOwnerClient().post('/imports', { projectId: 999_999, attachmentId: 1 })).status).toBe(
      404,
    );
    expect(
      (await createOwnerClient().post('/imports', { projectId: project, attachmentId: 999_999 })).status,
    ).toBe(404);
    const { id } = await createTask(world.people.owner, project);
    expect((await createOwnerClient().get(`/imports/${id}`)).status).toBe(404);
    expect(await countRows('imports')).toBe(0);
  });
});
