import { beforeAll, describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createFields, type FieldIds } from '../../support/custom-fields.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let client: WorkspaceBrowser;
let session: ReturnType<typeof api>;
let project: number;
let fields: FieldIds;

beforeAll(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  client = await WorkspaceBrowser.signIn(world, world.people.client);
  session = api(world.people.member.token);
  project = world.projects.joined.id;
  fields = await createFields(world);
  await addFieldsToProject(world, project, Object.values(fields));
});

const createMyTask = (values: Record<string, unknown> = {}, projectId = project) =>
  createTask(world.people.owner, projectId, values);
const readTask = async (id: number) => (await session.get(`/tasks/${id}?expand=detail,customFields`)).body;

/** Submits the bar as a browser does, with one `ids` field per selected task. */
async function submitBulkBar(ids: readonly number[], chosen: readonly [string, string][], who = member) {
  const { html } = await who.open(`/tasks?project=${project}`);
  const form = new URLSearchParams(readHiddenFields(html, `${who.base}/tasks/bulk`));
  for (const [name, value] of chosen) form.append(name, value);
  for (const id of ids) form.append('ids', String(id));
  const answer = await who.browser.post(`${who.base}/tasks/bulk`, form);
  return { status: answer.status, html: unescapeHtml(await answer.text()) };
}

async function undo(who = member) {
  const { html } = await who.open(`/tasks?project=${project}`);
  const hidden = readHiddenFields(html, `${who.base}/undo`);
  expect((await who.post('/undo', hidden)).status).toBe(303);
}

describe('the bulk edit bar', () => {
  it('adds and removes tags without replacing the other tags, which can be undone', async () => {
    const one = await createMyTask({ tags: ['Web', 'old', 'keep'] });
    const two = await createMyTask({ tags: ['OLD'] });
    const three = await createMyTask();
    const answer = await submitBulkBar(
      [one.id, two.id, three.id],
      [
        ['addTags', 'web, Fresh ,fresh,'],
        ['removeTags', 'old'],
      ],
    );
    expect(answer.status).toBe(303);
    expect((await readTask(one.id)).tags).toEqual(['Web', 'keep', 'Fresh']);
    expect((await readTask(two.id)).tags).toEqual(['web', 'Fresh']);
    expect((await readTask(three.id)).tags).toEqual(['web', 'Fresh']);
    await undo();
    expect((await readTask(one.id)).tags).toEqual(['Web', 'old', 'keep']);
    expect((await readTask(two.id)).tags).toEqual(['OLD']);
    expect((await readTask(three.id)).tags).toEqual([]);
  });

  it('sets and clears the due time, which can be undone', async () => {
    const { id } = await createMyTask({ deadline: '2027-01-02' });
    await submitBulkBar([id], [['dueTime', '17:30']]);
    expect(await readTask(id)).toMatchObject({ deadline: '2027-01-02', dueTime: '17:30' });
    await submitBulkBar([id], [['clear', 'dueTime']]);
    expect((await readTask(id)).dueTime).toBeNull();
    await undo();
    expect((await readTask(id)).dueTime).toBe('17:30');
    // A deadline in the same change provides the day.
    const other = await createMyTask();
    await submitBulkBar(
      [other.id],
      [
        ['dueTime', '09:00'],
        ['deadline', '2027-02-03'],
      ],
    );
    expect(await readTask(other.id)).toMatchObject({ deadline: '2027-02-03', dueTime: '09:00' });
  });

  it("sets and clears every type of the project's custom fields, which can be undone", async () => {
    const { userId } = world.people.member;
    const { html } = await member.open(`/tasks?project=${project}`);
    for (const number of Object.values(fields)) expect(html).toMatch(new RegExp(`name="cf_${number}"`));
    expect((await member.open('/tasks')).html).not.toContain('name="cf_');
    // A required field would keep people from applying other changes.
    const [, bar = ''] = /<form [^>]*id="bulk"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
    expect(bar).toContain('name="addTags"');
    expect(bar).not.toMatch(/<input [^>]*\brequired/);
    const ids = [(await createMyTask()).id, (await createMyTask()).id];
    const values: [string, string][] = [
      [`cf_${fields.text}`, 'Some <b>text</b>'],
      [`cf_${fields.number}`, '1,5'],
      [`cf_${fields.date}`, '2027-01-02'],
      [`cf_${fields.select}`, '1'],
      [`cf_${fields.multi_select}`, '1'],
      [`cf_${fields.multi_select}`, '2'],
      [`cf_${fields.person}`, userId],
      [`cf_${fields.url}`, 'https://example.test/'],
      [`cf_${fields.checkbox}`, 'false'],
    ];
    expect((await submitBulkBar(ids, values)).status).toBe(303);
    for (const id of ids) {
      expect((await readTask(id)).customFields).toMatchObject({
        [`cf_${fields.text}`]: 'Some <b>text</b>',
        [`cf_${fields.number}`]: 1.5,
        [`cf_${fields.date}`]: '2027-01-02',
        [`cf_${fields.select}`]: 1,
        [`cf_${fields.multi_select}`]: [1, 2],
        [`cf_${fields.person}`]: userId,
        [`cf_${fields.url}`]: 'https://example.test/',
        [`cf_${fields.checkbox}`]: false,
      });
    }
    await submitBulkBar(ids, [['clear', `cf_${fields.number}`]]);
    expect((await readTask(ids[0] ?? 0)).customFields[`cf_${fields.number}`]).toBeNull();
    await undo();
    expect((await readTask(ids[0] ?? 0)).customFields[`cf_${fields.number}`]).toBe(1.5);
  });

  it.each<[string, (ids: number[]) => [string, string][], string]>([
    [
      'tags beyond the limit',
      () => [['addTags', Array.from({ length: 20 }, (_, n) => `t${n}`).join(',')]],
      'would have 21 tags',
    ],
    ['a tag that is too long', () => [['addTags', 'x'.repeat(51)]], '50'],
    [
      'a tag to add and remove',
      () => [
        ['addTags', 'A'],
        ['removeTags', 'a'],
      ],
      "both have 'A'",
    ],
    ['a due time without a deadline', () => [['dueTime', '17:30']], 'deadline'],
    ['an invalid due time', () => [['dueTime', '25:00']], '00:00'],
    [
      'a number that is text',
      () => [[`cf_${fields.number}`, 'lots']],
      "“number”: the value must be a number; got 'lots'",
    ],
    [
      'an option that does not exist',
      () => [[`cf_${fields.select}`, '99']],
      '“select”: this field must be one of',
    ],
    ['a URL without a scheme', () => [[`cf_${fields.url}`, 'javascript:alert(1)']], 'must be a URL'],
    ['a field that does not exist', () => [['cf_999999999', 'x']], "doesn't use this custom field"],
    ['a field to clear that does not exist', () => [['clear', 'cf_999999999']], 'field'],
  ])('changes nothing and keeps the selection if it gets %s', async (_name, choose, message) => {
    const ids = [(await createMyTask({ tags: ['first'] })).id, (await createMyTask({ tags: ['first'] })).id];
    const before = await readAllContents();
    const answer = await submitBulkBar(ids, [...choose(ids), ['priority', 'high']]);
    expect(answer.status).toBe(400);
    const [, alert = ''] = /class="(?:alert|problem)"[^>]*>([\s\S]*?)<\/(?:div|p)>/.exec(answer.html) ?? [];
    expect(alert).toContain(message);
    for (const id of ids)
      expect(answer.html).toMatch(new RegExp(`name="ids" value="${id}" form="bulk" checked`));
    expect(await readAllContents()).toEqual(before);
  });

  it('keeps everything that was entered if it is rejected', async () => {
    const { id } = await createMyTask();
    const { html } = await submitBulkBar(
      [id],
      [
        ['addTags', 'Mine, yours'],
        ['dueTime', '10:00'],
        [`cf_${fields.text}`, '"Quoted"'],
        [`cf_${fields.multi_select}`, '2'],
        [`cf_${fields.select}`, '1'],
      ],
    );
    for (const value of ['Mine, yours', '10:00', '"Quoted"']) expect(html).toContain(`value="${value}"`);
    expect(html).toMatch(new RegExp(`name="cf_${fields.multi_select}" value="2" checked`));
    expect(html).toMatch(/<details class="drop-down bulk-more" open/);
  });

  it('names every rejected task, and lists those with the same reason together', async () => {
    const full = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    const [good, one, two] = await Promise.all([
      createMyTask(),
      createMyTask({ deadline: '2027-01-01', tags: full }),
      createMyTask({ tags: full }),
    ]);
    const { html } = await submitBulkBar([good.id, one.id, two.id], [['addTags', 'more']]);
    expect(html).toContain(`#${one.id}: Task ${one.id} would have 21 tags`);
    expect(html).toContain(`#${two.id}: Task ${two.id} would have 21 tags`);
    expect((await readTask(good.id)).tags).toEqual([]);
    const times = await submitBulkBar([one.id, good.id, two.id], [['dueTime', '10:00']]);
    expect(times.html).toContain(`#${good.id}, #${two.id}: `);
    expect((await readTask(one.id)).dueTime).toBeNull();
  });

  it('keeps a tag that someone else has added since, even if they also removed and restored another tag', async () => {
    const { id } = await createMyTask({ tags: ['A'] });
    const lead = api(world.people.lead.token);
    const { html } = await member.open(`/tasks?project=${project}`);
    const form = new URLSearchParams(readHiddenFields(html, `${member.base}/tasks/bulk`));
    for (const tags of [['B'], ['A', 'Theirs']]) await lead.patch(`/tasks/${id}`, { tags });
    form.append('ids', String(id));
    form.append('addTags', 'Mine');
    expect((await member.post('/tasks/bulk', form)).status).toBe(303);
    expect((await readTask(id)).tags).toEqual(['A', 'Theirs', 'Mine']);
  });

  it('applies a form once, even if it is submitted twice', async () => {
    const { id } = await createMyTask();
    const { html } = await member.open(`/tasks?project=${project}`);
    const form = new URLSearchParams(readHiddenFields(html, `${member.base}/tasks/bulk`));
    form.append('ids', String(id));
    form.append('addTags', 'Once');
    for (let press = 0; press < 2; press += 1)
      expect((await member.post('/tasks/bulk', form)).status).toBe(303);
    expect((await session.get(`/tasks/${id}/activities`)).body.data.length).toBe(2);
  });

  it("lets clients change the tasks in their projects, and rejects tasks that they can't see", async () => {
    const mine = await createMyTask();
    const hidden = await createMyTask({ name: 'Secret' }, world.projects.other.id);
    expect((await submitBulkBar([mine.id], [['addTags', 'Ours']], client)).status).toBe(303);
    expect((await readTask(mine.id)).tags).toEqual(['Ours']);
    const before = await readAllContents();
    const answer = await submitBulkBar([mine.id, hidden.id], [['addTags', 'Theirs']], client);
    expect(answer.status).toBe(404);
    expect(answer.html).not.toContain('Secret');
    expect(await readAllContents()).toEqual(before);
  });
});
