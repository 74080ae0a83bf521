import { beforeAll, describe, expect, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { deleteCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { listCards } from '../../../src/tasks/operations/cards.ts';
import { listTaskRows } from '../../../src/time/reports/team-time.ts';
import { rebuildSearch } from '../../../src/upkeep/integrity/rebuild-search.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const EVERY_MINUTE = '* * * * *';

let world: World;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
});

const countWaiting = async () =>
  (await getCell(0).prepare('SELECT count(*) AS n FROM details_waiting').first<{ n: number }>())?.n;

/** Returns the ids of the tasks found by the app and by `/v1`. Checks that the app's list and board find the same. */
async function searchTasks(text: string, { token }: Person = world.people.member, more: object = {}) {
  const query = { search: text, scope: 'all', ...more };
  const list = await runForm(token, listTaskRows, { ...query, searchesDetails: true });
  const board = await runForm(token, listCards, { ...query, sort: 'created', limit: 20 });
  const rest = await api(token).get(`/tasks?scope=all&search=${encodeURIComponent(text)}`);
  const readIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);
  expect(list.body.meta.total).toBe(list.body.data.length);
  expect(readIds(board)).toEqual(readIds(list));
  return { app: readIds(list), rest: readIds(rest) };
}

async function createDetailedTask(words: { line: string; tag: string; field: string }) {
  const { member } = world.people;
  const field = await createField(world, 'text', `Field ${words.field}`);
  await addFieldsToProject(world, project, [field]);
  const task = await createTask(member, project, {
    tags: [words.tag],
    customFields: { [`cf_${field}`]: `about ${words.field}` },
  });
  await api(member.token).post(`/tasks/${task.id}/checklist/items`, { text: `do ${words.line}` });
  return { id: task.id as number, field };
}

describe('a search in the app', () => {
  it('finds tasks by checklist, tags and text fields, unlike a search with the REST API', async () => {
    const { id } = await createDetailedTask({ line: 'Übergabe', tag: 'zinnober', field: 'Contoso' });
    for (const isIndexed of [false, true]) {
      if (isIndexed) await runCron(EVERY_MINUTE);
      expect((await countWaiting()) === 0).toBe(isIndexed);
      for (const text of ['bergabe', 'Zinnober', 'ABOUT CONTOSO', 'zi']) {
        expect(await searchTasks(text), text).toEqual({ app: [id], rest: [] });
      }
      expect((await searchTasks('do Contoso')).app).toEqual([]);
    }
    expect((await searchTasks('übergabe')).app).toEqual([id]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('finds a task once even if its name and its tags match, and can be combined with filters and sorting', async () => {
    const { member } = world.people;
    const both = await createTask(member, project, { name: 'vermilion', tags: ['vermilion'] });
    const tagged = await createTask(member, project, { tags: ['vermilion'], deadline: '2030-01-01' });
    const archived = await createTask(member, project, { tags: ['vermilion'] });
    await api(member.token).post(`/tasks/${archived.id}/archive`);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await runCron(EVERY_MINUTE);
      expect(await searchTasks('vermilion')).toEqual({ app: [tagged.id, both.id], rest: [both.id] });
      expect((await searchTasks('vermilion', undefined, { sort: 'due' })).app).toEqual([tagged.id, both.id]);
      expect((await searchTasks('vermilion', undefined, { projectId: [project] })).app).toHaveLength(2);
      expect((await searchTasks('vermilion', undefined, { isArchived: true })).app).toEqual([archived.id]);
    }
  });

  it('reflects edits, moves, deletions and restores', async () => {
    const { owner } = world.people;
    const call = api(owner.token);
    const { id } = await createDetailedTask({ line: 'ochre', tag: 'umber', field: 'Fabrikam' });
    await runCron(EVERY_MINUTE);
    await call.patch(`/tasks/${id}`, { tags: ['sienna'] });
    const { items } = (await call.get(`/tasks/${id}/checklist`)).body;
    await call.patch(`/tasks/${id}/checklist/items/${items[0].id}`, { text: 'indigo' });
    const findTexts = async () => {
      const texts = ['ochre', 'umber', 'indigo', 'sienna', 'Fabrikam'];
      return Promise.all(texts.map(async (text) => (await searchTasks(text, owner)).app.length));
    };
    expect(await findTexts()).toEqual([0, 0, 1, 1, 1]);
    await runCron(EVERY_MINUTE);
    expect(await findTexts()).toEqual([0, 0, 1, 1, 1]);
    // The other project doesn't use the field.
    await call.post(`/tasks/${id}/move`, { projectId: world.projects.other.id });
    expect(await findTexts()).toEqual([0, 0, 1, 1, 0]);
    await runCron(EVERY_MINUTE);
    expect(await findTexts()).toEqual([0, 0, 1, 1, 0]);
    expect((await searchTasks('sienna', owner, { projectId: [world.projects.other.id] })).app).toEqual([id]);
    await call.delete(`/tasks/${id}`);
    expect(await findTexts()).toEqual([0, 0, 0, 0, 0]);
    await call.post(`/tasks/${id}/restore`);
    expect(await findTexts()).toEqual([0, 0, 1, 1, 0]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('finds nothing in deleted fields, hidden tasks or other workspaces', async () => {
    const { client, owner } = world.people;
    const { id, field } = await createDetailedTask({ line: 'cobalt', tag: 'cyan', field: 'Tailspin' });
    const other = await createWorld();
    await createTask(other.people.member, other.projects.joined.id, { tags: ['cyan'] });
    const hidden = await createTask(owner, world.projects.other.id, { tags: ['cyan'] });
    for (const isIndexed of [false, true]) {
      if (isIndexed) await runCron(EVERY_MINUTE);
      expect((await searchTasks('cyan', owner)).app).toEqual([hidden.id, id]);
      expect((await searchTasks('cyan', client)).app).not.toContain(hidden.id);
      expect((await searchTasks('Tailspin', owner)).app).toEqual([id]);
    }
    await runForm(owner.token, deleteCustomField, { id: field });
    expect((await searchTasks('Tailspin', owner)).app).toEqual([]);
  });

  it('finds the same tasks after an empty index is rebuilt, with or without fromScratch', async () => {
    const { id } = await createDetailedTask({ line: 'magenta', tag: 'fuchsia', field: 'Wingtip' });
    await runCron(EVERY_MINUTE);
    for (const fromScratch of [true, false]) {
      await getCell(0).exec("INSERT INTO detail_search (detail_search) VALUES ('delete-all')");
      expect((await searchTasks('fuchsia')).app).toEqual([]);
      await rebuildSearch(new Database(getCell(0), new CostMeter()), { fromScratch });
      for (const text of ['magenta', 'fuchsia', 'Wingtip'])
        expect((await searchTasks(text)).app).toEqual([id]);
    }
    expect(await findInconsistencies()).toEqual([]);
  });

  it('reads a bounded number of rows, however many tasks contain the text', async () => {
    const { member } = world.people;
    const measureRowsRead = async () =>
      (await runForm(member.token, listTaskRows, { search: 'gray', scope: 'all', searchesDetails: true }))
        .rowsRead;
    const tasks = Array.from({ length: 100 }, () => ({ projectId: project, name: 'Paint', tags: ['gray'] }));
    await api(member.token).post('/tasks/bulk', { tasks });
    await runCron(EVERY_MINUTE);
    expect(await measureRowsRead()).toBeLessThan(500 + 100 * 12);
    for (let more = 0; more < 25; more += 1) await api(member.token).post('/tasks/bulk', { tasks });
    for (let left = await countWaiting(); left; left = await countWaiting()) await runCron(EVERY_MINUTE);
    expect(await measureRowsRead()).toBeLessThan(500 + 2_000 * 12);
  });
});
