import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { runCron } from '../support/cron.ts';
import { getCell } from '../support/env.ts';
import { createProject, createWorld, type World } from '../support/world.ts';
import { addCsvFile } from './prepare-import.ts';
import { buildBoard, buildCard, buildChecklist, buildComment, people, toCardId } from './trello-board.ts';

const MINUTE = '* * * * *';
let world: World;
let project: number;
const createOwnerClient = () => api(world.people.owner.token);

beforeEach(async () => {
  world = await createWorld();
  project = (await createProject(world, { owner: world.people.owner })).id;
});

async function prepareBoard(board: Record<string, unknown>, into = project) {
  const text = JSON.stringify(board);
  const attachmentId = await addCsvFile(world, world.people.owner, into, text, 'board.json');
  return (await createOwnerClient().post('/imports', { projectId: into, attachmentId })).body;
}
async function importBoard(board: Record<string, unknown>, into = project) {
  const { id } = await prepareBoard(board, into);
  await createOwnerClient().post(`/imports/${id}/start`);
  return (await createOwnerClient().get(`/imports/${id}`)).body;
}
const listTasks = async (filter: string, from = project) =>
  (await createOwnerClient().get(`/tasks?projectId=${from}&expand=detail&limit=50&${filter}`)).body.data;

const buildSmallBoard = () =>
  buildBoard({
    cards: [
      buildCard(1, {
        name: 'Launch',
        desc: '**Bold** text',
        idLabels: ['label-web', 'label-green'],
        start: '2026-03-01T09:00:00.000Z',
        due: '2026-03-04T10:30:00.000Z',
        badges: { comments: 3 },
      }),
      buildCard(2, { name: 'Closed', closed: true, idLabels: ['label-web'] }),
      buildCard(3, { name: 'On a closed list', idList: 'list-old' }),
    ],
    checklists: [
      buildChecklist(1, 'Checklist', [
        ['Second', true],
        ['First', false],
      ]),
    ],
    actions: [buildComment(1, 'Ship **it**')],
    members: [{ id: people.left, fullName: 'Ola *Left*', username: 'olaleft' }],
  });

describe('importing a Trello board', () => {
  it('creates a task for each card, with its tags, dates and checklist', async () => {
    const done = await importBoard(buildSmallBoard());
    expect(done).toMatchObject({ status: 'completed', total: 3, existing: 0, made: 3, problem: null });
    expect(done.source).toBe('trello:5f0000000000000000000001');
    const [task, ...others] = await listTasks('status=open,completed');
    expect(others).toEqual([]);
    expect(task).toMatchObject({
      name: 'Launch',
      status: 'todo',
      tags: ['web', 'green dark'],
      startDate: '2026-03-01',
      deadline: '2026-03-04',
    });
    expect(task.description).toContain('<strong>Bold</strong> text');
    expect(task.description).toContain(
      '<strong>Comments</strong><ul><li><p>Ola *Left*, 2026-01-05 10:00 UTC:</p><p>Ship <strong>it</strong></p></li></ul>',
    );
    const { items } = (await createOwnerClient().get(`/tasks/${task.id}/checklist`)).body;
    expect(items).toEqual([
      { id: 1, text: 'First', isDone: false },
      { id: 2, text: 'Second', isDone: true },
    ]);
    expect(done.report.notes).toContainEqual({
      row: 2,
      text: 'Has 3 comments in Trello, but 1 in the file.',
    });
  });

  it('archives the tasks of archived cards', async () => {
    await importBoard(buildSmallBoard());
    const archived = await listTasks('isArchived=true&status=open,completed');
    expect(archived.map(({ name, status }: Record<string, unknown>) => [name, status]).sort()).toEqual([
      ['Closed', 'todo'],
      ['On a closed list', 'completed'],
    ]);
    const { id } = archived[0];
    expect((await createOwnerClient().post(`/tasks/${id}/unarchive`)).status).toBe(200);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('stores no secret email address', async () => {
    const done = await importBoard(buildSmallBoard());
    const { results } = await getCell(world.cell)
      .prepare(
        'SELECT t.name, t.description, i.report, i.options FROM tasks t, imports i WHERE t.ws = ? AND i.ws = t.ws',
      )
      .bind(world.no)
      .all();
    expect(results).toHaveLength(3);
    expect(JSON.stringify([results, done])).not.toMatch(/secret|boards\.trello\.com/);
  });

  it('does what its report says, and creates tasks only for new cards when the board is imported again', async () => {
    const ready = await prepareBoard(buildSmallBoard());
    await createOwnerClient().post(`/imports/${ready.id}/start`);
    const done = (await createOwnerClient().get(`/imports/${ready.id}`)).body;
    expect(done.report).toEqual(ready.report);
    const before = await listTasks('status=open,completed');
    const { cards, ...others } = buildSmallBoard() as { cards: Record<string, unknown>[] };
    const later = { ...others, name: 'Renamed', cards: [...cards, buildCard(4)] };
    expect(await importBoard(later)).toMatchObject({ total: 4, existing: 3, made: 1 });
    expect(await importBoard(later)).toMatchObject({ total: 4, existing: 4, made: 0 });
    expect(
      (await listTasks('status=open,completed')).filter(({ name }: { name: string }) => name !== 'Card 4'),
    ).toEqual(before);
  });

  it('gives the same result even if it is interrupted', async () => {
    const cards = Array.from({ length: 120 }, (_, index) =>
      buildCard(index, {
        closed: index % 3 === 0,
        idLabels: index % 2 ? ['label-web'] : [],
        idList: index % 5 ? 'list-doing' : 'list-todo',
      }),
    );
    const board = buildBoard({
      cards,
      checklists: cards.map((_, index) => buildChecklist(index, 'C', [[`Item ${index}`, index % 2 === 0]])),
      actions: cards.map((_, index) => buildComment(index, `Comment ${index}`)),
    });
    await importBoard(board);
    const other = (await createProject(world, { owner: world.people.owner })).id;
    const { id } = await prepareBoard(board, other);
    const db = getCell(world.cell);
    await db.prepare("UPDATE imports SET status = 'running', expires_at = NULL WHERE id = ?").bind(id).run();
    let batches = 0;
    const failing = new Proxy(db, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
        return async (statements: D1PreparedStatement[]) => {
          batches += 1;
          if (batches % 3 === 0) throw new Error('Network connection lost');
          const results = await target.batch(statements);
          if (batches % 7 === 0) throw new Error('The response was lost');
          return results;
        };
      },
    });
    for (let turn = 0; turn < 30; turn += 1) {
      await runCron(MINUTE, { [`CELL_${world.cell}`]: failing } as Partial<Env>);
      await db.prepare('UPDATE imports SET failures = 0 WHERE id = ?').bind(id).run();
      if ((await createOwnerClient().get(`/imports/${id}`)).body.status !== 'running') break;
    }
    await runCron(MINUTE);
    expect((await createOwnerClient().get(`/imports/${id}`)).body).toMatchObject({
      status: 'completed',
      made: 120,
    });
    const [undisturbed, interrupted] = await Promise.all(
      [project, other].map(async (each) => {
        const { results } = await db
          .prepare(
            `SELECT t.name, t.status, t.archived, t.tags, t.description, t.checklist_done, t.activity_count, k.lines
            FROM tasks t LEFT JOIN checklists k ON k.task = t.id WHERE t.project = ? ORDER BY t.id`,
          )
          .bind(each)
          .all();
        return results;
      }),
    );
    expect(interrupted).toHaveLength(120);
    expect(interrupted).toEqual(undisturbed);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('creates a task without a parent if its parent is archived', async () => {
    const cards = [
      buildCard(1, { closed: true }),
      buildCard(2, { customFieldItems: [{ idCustomField: 'f1', value: { text: toCardId(1) } }] }),
    ];
    const customFields = [{ id: 'f1', name: 'Parent' }];
    const ready = await prepareBoard(buildBoard({ cards, customFields }));
    const columns = ready.report.columns.map(({ header, use }: Record<string, string>) =>
      header === 'Parent' ? 'parent' : use,
    );
    const { body } = await createOwnerClient().patch(`/imports/${ready.id}`, { columns });
    expect(body.report.notes).toContainEqual({
      row: 2,
      text: 'The parent is archived, so the task has no parent.',
    });
    await createOwnerClient().post(`/imports/${ready.id}/start`);
    const [task] = await listTasks('status=open');
    expect((await createOwnerClient().get(`/tasks/${task.id}?expand=structure`)).body.parent).toBeNull();
  });

  it('is rejected if the file contains only a card', async () => {
    const attachmentId = await addCsvFile(world, world.people.owner, project, JSON.stringify(buildCard(1)));
    const { status, body } = await createOwnerClient().post('/imports', { projectId: project, attachmentId });
    expect(status).toBe(400);
    expect(body.error.message).toContain("only the Trello card 'Card 1'");
  });
});
