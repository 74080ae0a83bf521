import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, getNextMonday, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let client: WorkspaceBrowser;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  client = await WorkspaceBrowser.signIn(world, world.people.client);
  project = world.projects.joined.id;
});

const toText = (html: string) => unescapeHtml(html.replace(/<[^>]+>/g, ''));

async function previewTask(name: string, who = owner) {
  const { html } = await who.open(`/tasks/add?${new URLSearchParams({ name, projectId: `${project}` })}`);
  const [, preview = ''] = /<div id="understood"[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
  const listTexts = (name: string) =>
    [...preview.matchAll(new RegExp(`<p class="preview-${name}">(.*?)</p>`, 'gs'))].map(([, text]) =>
      toText(text ?? ''),
    );
  return {
    html,
    reading: listTexts('text')[0],
    problems: listTexts('problem'),
    notes: listTexts('note'),
    understood: /name="understood" value="([^"]*)"/.exec(preview)?.[1] ?? '',
  };
}

async function addTask(name: string, fields: Record<string, string> = {}, who = owner) {
  const hidden = readHiddenFields((await who.open('')).html, `${who.base}/tasks/add`);
  return who.post('/tasks/add', { ...hidden, name, projectId: String(project), ...fields });
}

async function readNewestTask(who: Person = world.people.owner) {
  const { body } = await api(who.token).get('/tasks?scope=all&limit=1');
  const { id } = body.data[0];
  return (await api(who.token).get(`/tasks/${id}?expand=detail,structure,recurrence`)).body;
}

async function expectRejected(name: string, problem: string | RegExp, who = owner) {
  const before = await readAllContents();
  expect((await previewTask(name, who)).problems.join(' ')).toMatch(problem);
  const { status, html } = await addTask(name, {}, who);
  expect([status, name]).toEqual([400, name]);
  expect(toText(/<p class="problem" id="name-problem">(.*?)<\/p>/s.exec(html)?.[1] ?? '')).toMatch(problem);
  // The text stays in the field.
  expect(unescapeHtml(html)).toContain(`value="${name}"`);
  expect(await readAllContents()).toEqual(before);
}

describe('quick-add text', () => {
  it('creates the previewed task with a time, a repetition, tags and a parent task', async () => {
    const parent = await createTask(world.people.owner, project, { name: 'Launch' });
    const monday = getNextMonday(toWallClock(Date.now(), 'UTC').date);
    const text = `Report, ${monday} 17:30, every monday, high, +Web site, +copy, under #${parent.id}`;
    const { reading, problems, notes, understood } = await previewTask(text);
    expect([problems, notes]).toEqual([[], []]);
    expect(reading).toMatch(
      new RegExp(
        `^Report · You · Mon \\d+ \\w+( \\d+)? 17:30 · Every Monday · High priority · New tag Web site · New tag copy · Joined · Subtask of Launch #${parent.id}$`,
      ),
    );
    const { status, location } = await addTask(text, { understood });
    expect(status).toBe(303);
    expect(toText((await owner.open((location ?? '').slice(owner.base.length))).html)).toContain(
      `17:30 · Every Monday · High priority · Web site · copy · Subtask of #${parent.id} · Joined`,
    );
    expect(await readNewestTask()).toMatchObject({
      name: 'Report',
      deadline: monday,
      dueTime: '17:30',
      priority: 'high',
      tags: ['Web site', 'copy'],
      parent: { id: parent.id },
      recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'schedule', days: null },
    });
  });

  it('uses the existing spelling of a tag, and marks only new tags', async () => {
    await createTask(world.people.owner, project, { tags: ['Über', 'Legal'] });
    expect((await previewTask('Write, +ÜBER, +legal, +LEGAL, +wbe')).reading).toContain(
      ' · Tag Über · Tag Legal · New tag wbe · ',
    );
    await addTask('Write, +ÜBER, +legal, +LEGAL, +wbe');
    expect((await readNewestTask()).tags).toEqual(['Über', 'Legal', 'wbe']);
  });

  it('uses the project of the parent task', async () => {
    const { other } = world.projects;
    const parent = await createTask(world.people.owner, other.id, { name: 'Elsewhere' });
    const text = `Write, under #${parent.id}`;
    expect((await previewTask(text)).reading).toContain(` · Other · Subtask of Elsewhere #${parent.id}`);
    await addTask(text);
    expect(await readNewestTask()).toMatchObject({ project: other, parent: { id: parent.id } });
    await expectRejected(
      `Write, #joined, under #${parent.id}`,
      `Task #${parent.id} is in Other, so its subtasks can't be in Joined.`,
    );
  });

  it('sets the first matching day as the deadline of a repeating task', async () => {
    const tomorrow = addDays(toWallClock(Date.now(), 'UTC').date, 1);
    const weekday = new Date(tomorrow).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    await addTask(`Water plants, every ${weekday} at 23:59`);
    expect(await readNewestTask()).toMatchObject({ deadline: tomorrow, dueTime: '23:59' });
    await addTask('Water plants, every 3 days after completion');
    expect((await readNewestTask()).recurrence).toMatchObject({ mode: 'completion', days: 3 });
  });

  it('is previewed with a note about each part of the name that looks like a detail', async () => {
    expect((await previewTask('Call Bob, friday, or so, +3')).notes).toEqual([
      '“friday” is part of the name, because details come last.',
      "“+3” wasn't recognized, so it's part of the name.",
    ]);
    expect((await addTask('Call Bob, friday, or so, +3')).status).toBe(303);
    expect((await readNewestTask()).name).toBe('Call Bob, friday, or so, +3');
  });

  it('is rejected without creating a task if a detail is unclear, repeated or impossible', async () => {
    const { id } = await createTask(world.people.owner, project);
    await api(world.people.owner.token).post(`/tasks/${id}/archive`);
    await expectRejected('Write, at 9, today', '“at 9” could be in the morning or in the evening.');
    await expectRejected('Write, next friday', '“next friday” could be this week or next week.');
    await expectRejected('Write, every 2nd friday', 'could be every other week or once a month.');
    await expectRejected('Write, 17:30', 'A due time needs a day. Type one before the time');
    await expectRejected('Write, today 9am, 10am', 'Choose one time: 9am or 10am.');
    await expectRejected('Write, daily, weekly', 'Choose one repetition: daily or weekly.');
    await expectRejected(
      'Write, every day, 2099-01-01',
      '“every day” needs a first and a next date within 10 years of today.',
    );
    await expectRejected('Write, under #1, under #2', 'Choose one parent task: under #1 or under #2.');
    await expectRejected('Write, under #999999999', 'There is no task #999999999 in your projects.');
    await expectRejected(`Write, under #${id}`, `Task #${id} is archived. Restore it before`);
    await expectRejected(`Write, +${'x'.repeat(51)}`, 'A tag can have up to 50 characters; “x');
    const tags = Array.from({ length: 21 }, (_, index) => `, +tag${index}`).join('');
    await expectRejected(`Write${tags}`, 'Choose up to 20 tags.');
  });

  it("is rejected with a message that names the plans with recurring tasks if the workspace's plan has none", async () => {
    const free = await createWorld({ plan: 'free' });
    const person = await WorkspaceBrowser.signIn(free, free.people.member);
    const fields = { projectId: `${free.projects.joined.id}` };
    const { status, html } = await addTask('Write, daily', fields, person);
    expect([status, toText(html)]).toEqual([
      400,
      expect.stringContaining('“daily” requires the Medium or Pro plan'),
    ]);
    expect((await addTask('Write, +web', fields, person)).status).toBe(303);
  });

  it('is never interpreted as HTML, in a tag or in the name of a parent task', async () => {
    const attack = '<img src=x onerror=alert(1)>';
    const parent = await createTask(world.people.owner, project, { name: attack });
    const text = `Write, +${attack}, under #${parent.id}`;
    const { reading, html } = await previewTask(text);
    expect(reading).toContain(`New tag ${attack} · Joined · Subtask of ${attack} #${parent.id}`);
    expect(html).not.toContain('<img src=x');
    expect((await addTask(text)).status).toBe(303);
    expect((await readNewestTask()).tags).toEqual([attack]);
    expect((await owner.open('')).html).not.toContain('<img src=x');
  });
});

describe('a client', () => {
  it("can add subtasks to tasks in their projects, but can't find other tasks or learn their tags", async () => {
    const [mine, other] = await Promise.all([
      createTask(world.people.owner, project, { name: 'Mine', tags: ['Shared'] }),
      createTask(world.people.owner, world.projects.other.id, { name: 'Secret', tags: ['Hidden'] }),
    ]);
    const text = `Write, +shared, +hidden, under #${mine.id}`;
    expect((await previewTask(text, client)).reading).toContain(
      `Tag Shared · New tag hidden · Joined · Subtask of Mine #${mine.id}`,
    );
    expect((await addTask(text, {}, client)).status).toBe(303);
    expect(await readNewestTask(world.people.client)).toMatchObject({ tags: ['Shared', 'hidden'] });
    await expectRejected(`Write, under #${other.id}`, /^There is no task #\d+ in your projects/, client);
    expect((await previewTask(`Write, under #${other.id}`, client)).html).not.toContain('Secret');
  });

  it("can't add a subtask to a task that they follow in a project that they haven't joined", async () => {
    const { id } = await createTask(world.people.owner, world.projects.other.id, {
      assigneeId: world.people.client.userId,
    });
    expect((await api(world.people.client.token).get(`/tasks/${id}`)).status).toBe(200);
    await expectRejected(`Write, under #${id}`, /^There is no task #\d+ in your projects/, client);
  });
});

describe('the quick-add preview', () => {
  it('must match the created task, so text is rejected if its parent or tags have changed since', async () => {
    const parent = await createTask(world.people.owner, project, { name: 'Moving' });
    const text = `Write, under #${parent.id}, +Fresh`;
    const { understood } = await previewTask(text);
    await api(world.people.member.token).post(`/tasks/${parent.id}/archive`);
    expect((await addTask(text, { understood })).status).toBe(400);
    // Restoring the parent makes the preview correct again.
    await api(world.people.member.token).post(`/tasks/${parent.id}/unarchive`);
    await createTask(world.people.member, project, { tags: ['FRESH'] });
    const before = await readAllContents();
    const { status, html } = await addTask(text, { understood });
    expect([status, toText(html)]).toEqual([400, expect.stringContaining('The preview has changed.')]);
    expect(await readAllContents()).toEqual(before);
    const again = await previewTask(text);
    expect(again.reading).toContain('Tag FRESH');
    expect((await addTask(text, { understood: again.understood })).status).toBe(303);
  });

  it('can be used again after a change is reversed', async () => {
    const parent = await createTask(world.people.owner, project, { name: 'There and back' });
    const text = `Write, under #${parent.id}`;
    const { understood } = await previewTask(text);
    for (const step of ['archive', 'unarchive'])
      await api(world.people.member.token).post(`/tasks/${parent.id}/${step}`);
    expect((await addTask(text, { understood })).status).toBe(303);
    expect((await readNewestTask()).parent.id).toBe(parent.id);
  });

  it('takes one database round trip and reads fewer than 200 rows with every kind of detail', async () => {
    const name = 'Write, @ada, #site, +web, +copy, every day 9am, under #1';
    const path = `/tasks/add?${new URLSearchParams({ name, projectId: `${project}` })}`;
    for (const who of [owner, client]) {
      await who.open(path);
      const { headers } = await who.open(path);
      const [, trips, rows] = /trips=(\d+) .*rows_read=(\d+)/.exec(headers.get('X-Cost') ?? '') ?? [];
      expect([Number(trips), Number(rows) < 200]).toEqual([1, true]);
    }
  });
});
