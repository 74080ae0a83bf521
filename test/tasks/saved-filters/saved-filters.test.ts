import { beforeEach, expect, it } from 'vitest';
import {
  deleteSavedFilter,
  getSavedFilter,
  listSavedFilters,
  parseFilter,
  renameSavedFilter,
  replaceSavedFilter,
  saveFilter,
} from '../../../src/tasks/saved-filters/saved-filters.ts';
import { toQueryString, toTaskListFilter } from '../../../src/tasks/saved-filters/task-filter.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const saveFilterAs = async (person: Person, input: Record<string, unknown>): Promise<number> => {
  const { status, body } = await runForm(person.token, saveFilter, input);
  expect([status, body]).toEqual([200, { id: body.id }]);
  return body.id;
};
const listFilterNames = async (person: Person): Promise<string[]> =>
  (await runForm(person.token, listSavedFilters, {})).body.data.map(({ name }: { name: string }) => name);

it('a saved filter keeps every field, and is loaded in one database round trip', async () => {
  const { owner } = world.people;
  const filter = {
    q: 'launch & "quotes"',
    project: world.projects.joined.id,
    status: ['open', 'completed'],
    priority: ['high'],
    assignee: ['me', 'none'],
    tag: ['web', 'copy'],
    fields: ['12-3', '13-true'],
    due: 'overdue',
    from: '2026-01-01',
    to: '2026-12-31',
    archived: 'true',
    sort: 'due',
  };
  const id = await saveFilterAs(owner, { name: 'Before the launch', ...filter });
  await saveFilterAs(owner, { name: 'all of mine', assignee: 'me' });
  expect(await listFilterNames(owner)).toEqual(['all of mine', 'Before the launch']);
  const { body, trips } = await runForm(owner.token, getSavedFilter, { id });
  expect(trips).toBe(1);
  expect(body).toEqual({
    id,
    name: 'Before the launch',
    isShared: false,
    maker: null,
    mayChange: true,
    filter,
  });
  expect(Object.fromEntries(new URLSearchParams(toQueryString(body.filter)))).toEqual({
    ...filter,
    project: String(filter.project),
    status: 'open,completed',
    priority: 'high',
    assignee: 'me,none',
    tag: 'web,copy',
    fields: '12-3,13-true',
  });
});

it('a filter that was saved with a single value per field still works', async () => {
  expect(parseFilter('{"status":"todo","priority":"low","assignee":"me","tag":"web"}')).toEqual({
    status: ['todo'],
    priority: ['low'],
    assignee: ['me'],
    tag: ['web'],
  });
});

it('private filters are visible only to their creator, and shared filters to the whole workspace', async () => {
  const { people } = world;
  const kept = await saveFilterAs(people.member, { name: 'Kept', q: 'x' });
  const shared = await saveFilterAs(people.member, { name: 'Shared', q: 'x', isShared: true });
  const another = await createWorld();
  for (const person of [people.owner, people.client]) {
    expect(await listFilterNames(person)).toEqual(['Shared']);
    expect((await runForm(person.token, getSavedFilter, { id: kept })).status).toBe(404);
    const { body } = await runForm(person.token, getSavedFilter, { id: shared });
    expect(body.maker).toEqual({ name: people.member.name });
    expect(body.mayChange).toBe(person === people.owner);
  }
  expect(await listFilterNames(another.people.owner)).toEqual([]);
  expect((await runForm(another.people.owner.token, getSavedFilter, { id: shared })).status).toBe(404);
});

it('a filter can be renamed, shared, unshared, replaced and deleted', async () => {
  const { member, owner } = world.people;
  const id = await saveFilterAs(member, { name: 'First', q: 'x' });
  const changeFilter = (input: object) => runForm(member.token, renameSavedFilter, { id, ...input });
  expect((await changeFilter({ name: 'Second', isShared: true })).status).toBe(200);
  expect(await listFilterNames(owner)).toEqual(['Second']);
  // An owner can stop sharing someone else's filter, and then no longer sees it.
  expect((await runForm(owner.token, renameSavedFilter, { id, isShared: false })).status).toBe(200);
  expect(await listFilterNames(owner)).toEqual([]);
  expect((await runForm(member.token, replaceSavedFilter, { id, priority: 'low' })).status).toBe(200);
  expect((await runForm(member.token, getSavedFilter, { id })).body.filter).toEqual({
    priority: ['low'],
  });
  const { body } = await runForm(member.token, deleteSavedFilter, { id });
  expect(body.deleted).toMatchObject({ name: 'Second', filter: { priority: ['low'] } });
  expect(await listFilterNames(member)).toEqual([]);
  expect((await runForm(member.token, deleteSavedFilter, { id })).status).toBe(404);
});

it('a person can have at most 100 filters, and a workspace at most 100 shared filters', async () => {
  const { member, lead } = world.people;
  const insertFilters = (person: Person, isShared: 0 | 1, upTo: number) =>
    getCell(world.cell)
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?4)
        INSERT INTO saved_filters (ws, member, name, is_shared, filter, created_at)
        SELECT ?1, ?2, 'Filter ' || i, ?3, '{}', 1 FROM n`,
      )
      .bind(world.no, person.member, isShared, upTo)
      .run();
  await insertFilters(member, 0, 99);
  const id = await saveFilterAs(member, { name: 'The hundredth', q: 'x' });
  const { status, body } = await runForm(member.token, saveFilter, { name: 'One more', q: 'x' });
  expect([status, body.error.message]).toEqual([
    400,
    "You've reached the limit of 100 saved filters. Delete one first.",
  ]);
  await insertFilters(lead, 1, 100);
  const shared = await runForm(member.token, renameSavedFilter, { id, isShared: true });
  expect(shared.body.error.message).toContain('limit of 100 shared filters');
});

it("parallel requests can't exceed the filter limit", async () => {
  const { member } = world.people;
  for (let n = 0; n < 98; n++) {
    await getCell(world.cell)
      .prepare(
        "INSERT INTO saved_filters (ws, member, name, is_shared, filter, created_at) VALUES (?, ?, 'x', 0, '{}', 1)",
      )
      .bind(world.no, member.member)
      .run();
  }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => runForm(member.token, saveFilter, { name: 'Race', q: 'x' }, {}, 6)),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBe(2);
  expect((await listFilterNames(member)).length).toBe(100);
});

it("a filter's relative deadlines depend on today's date", () => {
  const friday = '2026-11-27';
  expect(toTaskListFilter({ due: 'overdue' }, friday)).toMatchObject({ dueTo: '2026-11-26' });
  expect(toTaskListFilter({ due: 'today' }, friday)).toMatchObject({ dueTo: friday });
  expect(toTaskListFilter({ due: 'week' }, friday)).toMatchObject({ dueTo: '2026-11-29' });
  // If a filter has both `due` and `to`, the earlier end date applies.
  expect(toTaskListFilter({ due: 'week', to: '2026-11-28' }, friday)).toMatchObject({ dueTo: '2026-11-28' });
  expect(toTaskListFilter({ due: 'today', to: '2026-11-28' }, friday)).toMatchObject({ dueTo: friday });
});

it('deleting an account deletes its private filters, and keeps its shared filters', async () => {
  const { people } = world;
  await saveFilterAs(people.lead, { name: 'Kept', q: 'x' });
  await saveFilterAs(people.lead, { name: 'Shared', q: 'x', isShared: true });
  const browser = await WorkspaceBrowser.signIn(world, people.lead);
  const { email } = people.lead;
  const page = await (await browser.browser.get('/account')).text();
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page) ?? [];
  const answer = await browser.browser.post('/account/remove', { csrf, once: crypto.randomUUID(), email });
  expect(answer.status).toBe(303);
  const { results } = await getCell(world.cell)
    .prepare('SELECT name FROM saved_filters WHERE ws = ?')
    .bind(world.no)
    .all<{ name: string }>();
  expect(results).toEqual([{ name: 'Shared' }]);
  const shared = (await runForm(people.owner.token, listSavedFilters, {})).body.data;
  expect(shared[0].maker).toEqual({ name: 'Former member' });
});
