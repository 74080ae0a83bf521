import { beforeAll, describe, expect, it } from 'vitest';
import { listCards } from '../../../src/tasks/operations/cards.ts';
import { moveCard } from '../../../src/tasks/operations/move-card.ts';
import { CARD_POSITIONS_MAX } from '../../../src/tasks/operations/place-card.queries.ts';
import { readAllEvents } from '../../events/read-events.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createRandom } from '../../support/random.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../../support/world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = world.people.owner;
});

async function createEmptyProject(): Promise<number> {
  return (await createProject(world, { owner, members: [world.people.member] })).id;
}

/** Returns the new ids, newest first. */
async function insertTasks(project: number, tasks: number): Promise<number[]> {
  const db = getCell(world.cell);
  const { results } = await db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO tasks (id, ws, project, name, created_by, created_at, updated_at)
      SELECT i + (SELECT max(id) FROM tasks), ?2, ?3, 'Card ' || i, ?4, 1, 1 FROM n RETURNING id`,
    )
    .bind(tasks, world.no, project, owner.member)
    .all<{ id: number }>();
  return results.map(({ id }) => id).sort((one, other) => other - one);
}

const listColumn = (project: number, filters: Record<string, unknown> = {}, by = owner) =>
  runForm(by.token, listCards, {
    projectId: [project],
    status: ['todo'],
    sort: 'hand',
    limit: 100,
    ...filters,
  });
async function listColumnIds(project: number, filters: Record<string, unknown> = {}): Promise<number[]> {
  const { body } = await listColumn(project, filters);
  return body.data.map(({ id }: { id: number }) => id);
}
async function moveCardOnBoard(id: number, fields: Record<string, unknown>, by = owner) {
  const answer = await runForm(by.token, moveCard, { id, status: 'todo', ...fields });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
}

function moveInArray(list: number[], id: number, side: 'above' | 'below', beside: number) {
  list.splice(list.indexOf(id), 1);
  list.splice(list.indexOf(beside) + (side === 'above' ? 0 : 1), 0, id);
}

describe('the manual card order', () => {
  it('is newest first until a card is moved, and new cards always appear at the top', async () => {
    const project = await createEmptyProject();
    const [top = 0, ...rest] = await insertTasks(project, 5);
    expect(await listColumnIds(project)).toEqual([top, ...rest]);
    await moveCardOnBoard(top, { below: rest.at(-1) });
    const added = await createTask(owner, project);
    expect(await listColumnIds(project)).toEqual([added.id, ...rest, top]);
  });

  it('matches an array that is reordered in the same way, after any sequence of moves', async () => {
    const project = await createEmptyProject();
    const model = await insertTasks(project, 30);
    const random = createRandom(62);
    for (let move = 0; move < 120; move += 1) {
      const [id = 0, beside = 0] = [random.pick(model), random.pick(model)];
      if (id === beside) continue;
      const side = random.pick(['above', 'below'] as const);
      await moveCardOnBoard(id, { [side]: beside });
      moveInArray(model, id, side, beside);
      if (move % 10 === 0) expect(await listColumnIds(project)).toEqual(model);
    }
    expect(await listColumnIds(project)).toEqual(model);
  });

  it('stays correct when cards are placed between the last two moved, and almost all moves write at most 8 rows', async () => {
    const project = await createEmptyProject();
    const model = await insertTasks(project, 61);
    const cards = model.slice(0, 60);
    let last = model[60] ?? 0;
    const written: number[] = [];
    for (const [move, id] of cards.entries()) {
      // Places each card between the two cards that were moved before it.
      const side = move % 2 === 0 ? 'above' : 'below';
      written.push((await moveCardOnBoard(id, { [side]: last })).rowsWritten);
      moveInArray(model, id, side, last);
      last = id;
    }
    expect(await listColumnIds(project)).toEqual(model);
    // In rare cases, no number is left between two cards. All cards placed around the same card are then renumbered.
    expect(written.filter((rows) => rows > 8).length).toBeLessThanOrEqual(2);
    expect(Math.max(...written)).toBeGreaterThan(8);
    expect(Math.max(...written)).toBeLessThanOrEqual(8 + 2 * CARD_POSITIONS_MAX);
  });

  it('is stored only for the cards that were moved most recently', async () => {
    const project = await createEmptyProject();
    const cards = await insertTasks(project, CARD_POSITIONS_MAX + 10);
    const bottom = cards.at(-1) ?? 0;
    for (const id of cards.slice(0, CARD_POSITIONS_MAX + 3)) await moveCardOnBoard(id, { below: bottom });
    const rows = await getCell(world.cell)
      .prepare('SELECT task FROM card_places WHERE project = ?')
      .bind(project)
      .all<{ task: number }>();
    expect(rows.results.length).toBe(CARD_POSITIONS_MAX);
    const { body, rowsRead } = await listColumn(project, { limit: 40 });
    expect(body.data.slice(0, 3).map(({ id }: { id: number }) => id)).toEqual(cards.slice(0, 3));
    expect(rowsRead).toBeLessThanOrEqual(1_200);
  });

  it("also applies to filtered cards, and doesn't change the total", async () => {
    const project = await createEmptyProject();
    const cards: number[] = [];
    for (const name of ['F', 'E', 'D', 'C', 'B', 'A'])
      cards.unshift((await createTask(owner, project, { name: `Card ${name}` })).id);
    const [first = 0, second = 0, third = 0, , , last = 0] = cards;
    await moveCardOnBoard(last, { above: first });
    await api(owner.token).patch(`/tasks/${last}`, { priority: 'high', deadline: '2026-05-01' });
    await api(owner.token).patch(`/tasks/${second}`, { priority: 'high', assigneeId: owner.userId });
    expect(await listColumnIds(project, { priority: ['high'] })).toEqual([last, second]);
    expect(await listColumnIds(project, { assigneeId: ['me'] })).toEqual([second]);
    expect(await listColumnIds(project, { dueTo: '2026-06-01' })).toEqual([last]);
    expect(await listColumnIds(project, { search: 'Card' })).toEqual(cards);
    expect(await listColumnIds(project, { sort: 'created' })).toEqual(cards);
    const { body } = await listColumn(project, { limit: 2 });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([last, first]);
    expect(body.meta).toMatchObject({ total: 6, hasMore: true });
    await api(owner.token).post(`/tasks/${first}/archive`);
    expect(await listColumnIds(project)).toEqual([last, second, third, ...cards.slice(3, 5)]);
  });

  it('is kept when a card leaves a column and returns', async () => {
    const project = await createEmptyProject();
    const [one = 0, two = 0, three = 0] = await insertTasks(project, 3);
    await moveCardOnBoard(one, { below: two });
    await moveCardOnBoard(three, { status: 'in_progress' });
    await moveCardOnBoard(one, { status: 'in_progress', below: three });
    expect(await listColumnIds(project)).toEqual([two]);
    expect(await listColumnIds(project, { status: ['in_progress'] })).toEqual([three, one]);
    await api(owner.token).patch(`/tasks/${one}`, { status: 'todo' });
    await api(owner.token).patch(`/tasks/${one}`, { status: 'in_progress' });
    expect(await listColumnIds(project, { status: ['in_progress'] })).toEqual([three, one]);
  });
});

it('moving or listing cards reads only a few more rows in a column of thousands than in a short column', async () => {
  const [short, long] = [await createEmptyProject(), await createEmptyProject()];
  const few = await insertTasks(short, 60);
  const many = await insertTasks(long, 5_000);
  for (const [cards, at] of [
    [few, 20],
    [many, 2_000],
  ] as const) {
    for (const id of cards.slice(0, 5)) await moveCardOnBoard(id, { below: cards[at] });
  }
  const measureRowsRead = async (project: number, filters: Record<string, unknown> = {}) =>
    (await listColumn(project, { limit: 40, ...filters })).rowsRead;
  const newest = await measureRowsRead(long, { sort: 'created' });
  expect(await measureRowsRead(short)).toBeLessThanOrEqual(newest + 100);
  expect(await measureRowsRead(long)).toBeLessThanOrEqual((await measureRowsRead(short)) + 10);
  const [inShort, inLong] = [
    await moveCardOnBoard(few[30] ?? 0, { above: few[8] }),
    await moveCardOnBoard(many[3_000] ?? 0, { above: many[8] }),
  ];
  expect(inLong.rowsRead).toBeLessThanOrEqual(inShort.rowsRead + 20);
  expect(inLong.rowsWritten).toBeLessThanOrEqual(8);
});

it('parallel moves neither drop nor duplicate a card', async () => {
  const project = await createEmptyProject();
  const cards = await insertTasks(project, 12);
  const getOtherCard = (index: number, by: number) => cards[(index + by) % cards.length];
  await Promise.all(
    cards.flatMap((id, index) => [
      moveCardOnBoard(id, { above: getOtherCard(index, 5) }),
      moveCardOnBoard(id, { below: getOtherCard(index, 2) }, world.people.member),
      moveCardOnBoard(id, { above: getOtherCard(index, 7) }),
    ]),
  );
  expect((await listColumnIds(project)).sort()).toEqual(cards.toSorted());
});

describe('moving a card', () => {
  it('returns 404 unless the person can see both the card and its neighbor', async () => {
    const project = await createEmptyProject();
    const [one = 0, two = 0] = await insertTasks(project, 2);
    const stranger = (await createWorld()).people.owner;
    const foreign = await runForm(stranger.token, moveCard, { id: one, status: 'todo', below: two });
    const missing = await runForm(stranger.token, moveCard, { id: 1, status: 'todo', below: two });
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    const client = world.people.client;
    const mine = await createTask(client, world.projects.joined.id);
    const hidden = await runForm(client.token, moveCard, { id: mine.id, status: 'todo', below: two });
    expect(hidden.status).toBe(404);
    const rows = await getCell(world.cell)
      .prepare('SELECT count(*) AS n FROM card_places WHERE task IN (?, ?)')
      .bind(one, mine.id)
      .first<{ n: number }>();
    expect(rows?.n).toBe(0);
  });

  it('is rejected if the neighbor is the card itself or in another project, or if the card is archived', async () => {
    const [project, elsewhere] = [await createEmptyProject(), await createEmptyProject()];
    const [one = 0, two = 0] = await insertTasks(project, 2);
    const [far = 0] = await insertTasks(elsewhere, 1);
    for (const beside of [one, far]) {
      expect((await runForm(owner.token, moveCard, { id: one, status: 'todo', above: beside })).status).toBe(
        400,
      );
    }
    await api(owner.token).post(`/tasks/${one}/archive`);
    expect((await runForm(owner.token, moveCard, { id: one, status: 'todo', above: two })).status).toBe(400);
  });

  it('logs an event with a changed position, and adds no history entry', async () => {
    const { people, projects } = await createWorld();
    const { lead } = people;
    const [one, two] = [
      await createTask(lead, projects.joined.id),
      await createTask(lead, projects.joined.id),
    ];
    await moveCardOnBoard(one.id, { above: two.id }, lead);
    const event = (await readAllEvents(lead)).at(-1);
    expect(event).toMatchObject({ type: 'task.updated', task: { id: one.id }, changes: { place: null } });
    const { body } = await api(lead.token).get(`/tasks/${one.id}/activities`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['created']);
  });
});
