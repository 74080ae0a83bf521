// This file is long because its tests follow each quick-add text from the preview to the created task.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { addPerson, createProject, createWorld, type Person, type World } from '../../support/world.ts';
import { createStudio, type Studio, TIMEZONE } from '../server/studio.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  project = world.projects.joined.id;
});

const renamePerson = async (person: Person, name: string) => {
  await getCell(world.cell)
    .prepare('UPDATE members SET name = ?, version = version + 1 WHERE no = ?')
    .bind(name, person.member)
    .run();
  return { ...person, name };
};
const toText = (html: string) => unescapeHtml(html.replace(/<[^>]+>/g, ''));

async function previewTask(name: string, who = owner, projectId = project) {
  const { status, html } = await who.open(
    `/tasks/add?${new URLSearchParams({ name, projectId: `${projectId}` })}`,
  );
  expect(status).toBe(200);
  const [, phrase = ''] = /<div id="understood"[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
  const [, reading = ''] = /<p class="preview-text">(.*?)<\/p>/s.exec(phrase) ?? [];
  return {
    reading: toText(reading),
    problems: [...phrase.matchAll(/<p class="preview-problem">(.*?)<\/p>/gs)].map(([, each]) =>
      toText(each ?? ''),
    ),
    understood: /name="understood" value="([^"]*)"/.exec(phrase)?.[1] ?? '',
    html,
  };
}

async function addTask(name: string, fields: Record<string, string> = {}, who = owner) {
  const hidden = readHiddenFields((await who.open('')).html, `${who.base}/tasks/add`);
  return who.post('/tasks/add', { ...hidden, name, projectId: String(project), ...fields });
}

const getNewestTask = async (who = world.people.owner) => {
  const { body } = await api(who.token).get('/tasks?scope=all&limit=1');
  return body.data[0];
};

const readError = ({ html }: { html: string }) =>
  toText(/<p class="problem" id="name-problem">(.*?)<\/p>/s.exec(html)?.[1] ?? '');

async function expectRejected(name: string, problem: string | RegExp) {
  const before = await readAllContents();
  const answer = await addTask(name);
  expect(answer.status, name).toBe(400);
  expect(readError(answer)).toMatch(problem);
  expect(answer.html).toContain(`value="${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}`);
  expect(await readAllContents()).toEqual(before);
}

describe('quick-add text', () => {
  it('creates the previewed task with all details', async () => {
    const ada = await renamePerson(await addPerson(world, 'ada', 'member'), 'Ada Lovelace');
    const site = await createProject(world, { owner: world.people.owner, name: 'Website relaunch' });
    const text = 'Write the report, with figures, @lovel, 2099-03-04, HIGH, #website';
    const shown = await previewTask(text);
    expect(shown.reading).toBe(
      'Write the report, with figures · Ada Lovelace · Wed 4 Mar 2099 · High priority · Website relaunch',
    );
    expect(shown.problems).toEqual([]);
    const { status, location } = await addTask(text, { understood: shown.understood });
    expect([status, location]).toEqual([303, `${owner.base}?project=${project}`]);
    expect(await getNewestTask()).toMatchObject({
      name: 'Write the report, with figures',
      assignee: { id: ada.userId },
      deadline: '2099-03-04',
      priority: 'high',
      project: site,
      status: 'todo',
    });
  });

  it('assigns the task to the person who submits it, by default and for "@me"', async () => {
    for (const text of ['Tidy up', 'Tidy up, @me', 'Tidy up, @ME, low']) {
      expect((await previewTask(text)).reading).toMatch(/^Tidy up · You · /);
      expect((await addTask(text)).status).toBe(303);
      expect((await getNewestTask()).assignee.id).toBe(world.people.owner.userId);
    }
    const task = await getNewestTask();
    expect(task).toMatchObject({
      name: 'Tidy up',
      priority: 'low',
      deadline: null,
      project: { id: project },
    });
  });

  it('is used unchanged as the name if it has no comma', async () => {
    for (const name of ['  today ', '@high', '#1 priority', '<img src=x onerror=alert(1)>', '\u202eabc']) {
      expect((await addTask(name)).status).toBe(303);
      expect((await getNewestTask()).name).toBe(name);
    }
  });

  it('is followed by a confirmation with an Undo button, and the field regains focus', async () => {
    const { location } = await addTask('Sent, low');
    const next = (location ?? '').slice(owner.base.length);
    // Requests for other pages don't use up the flash message.
    for (const other of ['/tasks/add?name=Next', '/inbox'])
      expect(toText((await owner.open(other)).html)).not.toContain('Added:');
    const { html } = await owner.open(next);
    expect(html).toMatch(/<input id="name" name="name"[^>]* autofocus/);
    expect(html).toContain(`<option value="${project}" selected="">`);
    expect(toText(html)).toContain('Added: Sent · Owner Test · Low priority · Joined');
    expect(toText((await owner.open(next)).html)).not.toContain('Added:');
    const { id } = await getNewestTask();
    const hidden = readHiddenFields(html, `${owner.base}/tasks/${id}/archive`);
    expect((await owner.post(`/tasks/${id}/archive`, hidden)).status).toBe(303);
    expect((await getNewestTask()).id).not.toBe(id);
  });

  it('creates only one task when it is submitted repeatedly', async () => {
    const { html } = await owner.open('');
    const fields = {
      ...readHiddenFields(html, `${owner.base}/tasks/add`),
      name: 'Once, high',
      projectId: `${project}`,
    };
    const before = (await api(world.people.owner.token).get('/tasks?scope=all&limit=1')).body.meta.total;
    for (let press = 0; press < 2; press += 1)
      expect((await owner.post('/tasks/add', fields)).status).toBe(303);
    expect((await api(world.people.owner.token).get('/tasks?scope=all&limit=1')).body.meta.total).toBe(
      before + 1,
    );
  });
});

describe('a name in quick-add text', () => {
  beforeEach(async () => {
    world = await createWorld();
    owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    project = world.projects.joined.id;
  });

  it('creates no task if it is unknown or ambiguous, and neither do other unclear details', async () => {
    await renamePerson(await addPerson(world, 'a', 'member'), 'Kim Larsen');
    await renamePerson(await addPerson(world, 'b', 'member'), 'Kim Olsen');
    await createProject(world, { owner: world.people.owner, name: 'Site A' });
    await createProject(world, { owner: world.people.owner, name: 'Site B' });
    await expectRejected(
      'Write, @kim',
      /^Several people match: Kim Larsen <a\..*>, Kim Olsen <b\..*>\. Type an email address\.$/,
    );
    await expectRejected(
      'Write, @Nobody Known',
      'No one matches “Nobody Known”. Check the spelling, or type an email address.',
    );
    await expectRejected(
      'Write, #site',
      /^Several projects match: Site B #\d+, Site A #\d+\. Type more of the name/,
    );
    await expectRejected(
      'Write, #nowhere',
      'No project matches “nowhere”. Check the spelling, or type # and the number.',
    );
    await expectRejected(
      'Write, #999999999',
      'No project matches “999999999”. Check the spelling, or type # and the number.',
    );
    await expectRejected(`Write${', @kim olsen'.repeat(11)}`, 'Choose up to 10 people.');
    await expectRejected('Write, friday, monday', 'Choose one day: friday or monday.');
    await expectRejected('Write, high, low', 'Choose one priority: high or low.');
    await expectRejected(', high', 'Enter a task name before the first comma.');
    await expectRejected(
      `${'x'.repeat(501)}, high`,
      'A task name can have up to 500 characters; this one has 501.',
    );
    expect((await previewTask('Write, @kim, #site')).problems).toHaveLength(2);
  });

  it('can be a full name, an email address or an id', async () => {
    const { email, userId } = await renamePerson(await addPerson(world, 'a', 'member'), 'Kim');
    await renamePerson(await addPerson(world, 'b', 'member'), 'Kim Olsen');
    const site = await createProject(world, { owner: world.people.owner, name: 'Site' });
    await createProject(world, { owner: world.people.owner, name: 'Site B' });
    for (const text of [`Write, @KIM, #SITE`, `Write, @${email.toUpperCase()}, #${site.id}`]) {
      expect((await addTask(text)).status).toBe(303);
      expect(await getNewestTask()).toMatchObject({ assignee: { id: userId }, project: site });
    }
  });

  it('is recognized even if it looks like a priority, a day, HTML or a number', async () => {
    for (const name of ['High', 'Friday', '<img src=x onerror=alert(1)>', '#1', '\u202eOdd']) {
      const { userId } = await renamePerson(await addPerson(world, 'p', 'member'), name);
      const { reading, html } = await previewTask(`Write, @${name}`);
      expect(reading).toContain(` · ${name} · `);
      expect(html).not.toContain('<img');
      expect((await addTask(`Write, @${name}`)).status).toBe(303);
      expect(await getNewestTask()).toMatchObject({
        name: 'Write',
        assignee: { id: userId },
        priority: 'medium',
      });
    }
  });

  it("doesn't match former members or projects that a client can't see", async () => {
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    const { other } = world.projects;
    for (const text of [`Write, #Other`, `Write, #${other.id}`]) {
      const { problems, reading } = await previewTask(text, client);
      expect(problems).toEqual([expect.stringMatching(/^No project matches/)]);
      expect(reading).not.toContain('· Other');
      expect((await addTask(text, {}, client)).status).toBe(400);
    }
    expect((await previewTask('Write', client, other.id)).problems[0]).toMatch(/^Choose a project/);
    expect((await addTask('Write', { projectId: `${other.id}` }, client)).status).toBe(400);
    const gone = await renamePerson(await addPerson(world, 'g', 'member'), 'Gone Away');
    await getCell(world.cell)
      .prepare('UPDATE members SET ended_at = 1, is_settled = 1 WHERE no = ?')
      .bind(gone.member)
      .run();
    for (const text of ['Write, @gone', `Write, @${gone.email}`, `Write, @${gone.userId}`]) {
      expect((await previewTask(text)).problems).toEqual([expect.stringMatching(/^No one matches/)]);
    }
  });
});

describe('the quick-add preview', () => {
  it('must match the created task, so text is rejected if its meaning has changed since the preview', async () => {
    const first = await renamePerson(await addPerson(world, 'first', 'member'), 'Robin Hood');
    const text = 'Write, @robin';
    const { understood } = await previewTask(text);
    await getCell(world.cell)
      .prepare('UPDATE members SET name = ? WHERE no = ?')
      .bind('Renamed', first.member)
      .run();
    const second = await renamePerson(await addPerson(world, 'second', 'member'), 'Robin Banks');
    const before = await readAllContents();
    const answer = await addTask(text, { understood });
    expect([answer.status, readError(answer)]).toEqual([
      400,
      'The preview has changed. Check it, then add the task again.',
    ]);
    expect(await readAllContents()).toEqual(before);
    const again = await previewTask(text);
    expect(again.reading).toContain('Robin Banks');
    expect((await addTask(text, { understood: again.understood })).status).toBe(303);
    expect((await getNewestTask()).assignee.id).toBe(second.userId);
  });

  it('must match the created task, so a name is rejected if it has become ambiguous since the preview', async () => {
    await renamePerson(await addPerson(world, 'one', 'member'), 'Sasha One');
    const { understood } = await previewTask('Write, @sasha');
    await renamePerson(await addPerson(world, 'two', 'member'), 'Sasha Two');
    const before = await readAllContents();
    const answer = await addTask('Write, @sasha', { understood });
    expect([answer.status, readError(answer)]).toEqual([
      400,
      expect.stringMatching(/^Several people match: Sasha One/),
    ]);
    expect(await readAllContents()).toEqual(before);
  });

  it('is ignored if it was made for other text or is malformed', async () => {
    const { understood } = await previewTask('Write, hi');
    for (const phrase of [understood, '', '.', 'x.y.z', understood.split('.')[1] ?? '']) {
      expect((await addTask('Write, high', { understood: phrase })).status).toBe(303);
      expect(await getNewestTask()).toMatchObject({ name: 'Write', priority: 'high' });
    }
  });

  it('is shown and submitted without JavaScript', async () => {
    const before = await readAllContents();
    const { status, location } = await addTask('Write, low', { look: 'first' });
    expect(status).toBe(303);
    expect(await readAllContents()).toEqual(before);
    const page = (location ?? '').slice(owner.base.length);
    const { html } = await owner.open(page);
    expect(toText(html)).toContain('Write · You · Low priority · Joined');
    expect(html).toContain('value="Write, low"');
    const sent = await owner.send(page, '/tasks/add', { name: 'Write, low', projectId: `${project}` });
    expect(sent.location).toBe(`${owner.base}?project=${project}`);
    expect(await getNewestTask()).toMatchObject({ name: 'Write', priority: 'low' });
  });

  it('takes one database round trip, and reads fewer than 200 rows', async () => {
    await previewTask('Write, @ada, #site');
    const { headers } = await owner.open(`/tasks/add?name=Write%2C+%40ada%2C+%23site&projectId=${project}`);
    const [, trips, rows] = /trips=(\d+) .*rows_read=(\d+)/.exec(headers.get('X-Cost') ?? '') ?? [];
    expect([Number(trips), Number(rows) < 200]).toEqual([1, true]);
  });

  it('is shown again after an error', async () => {
    const page = `/tasks/add?${new URLSearchParams({ name: 'Write, @nobody known', projectId: `${project}` })}`;
    const { status, html } = await owner.send(page, '/tasks/add', {
      name: 'Write, @nobody known',
      projectId: `${project}`,
    });
    expect(status).toBe(400);
    expect(toText(html).split('No one matches').length).toBe(2);
  });
});

describe('days in quick-add text', () => {
  it('depend on the time zone of the workspace', async () => {
    const studio: Studio = await createStudio();
    const today = toWallClock(Date.now(), TIMEZONE).date;
    const { other } = studio.world.projects;
    const { reading } = await previewTask('Write, tomorrow', studio.member, other.id);
    const day = Number(addDays(today, 1).slice(8));
    expect(reading).toMatch(new RegExp(`^Write · You · \\w{3} ${day} \\w{3}( \\d{4})? · Other$`));
    const hidden = readHiddenFields((await studio.member.open('')).html, `${studio.member.base}/tasks/add`);
    await studio.member.post('/tasks/add', { ...hidden, name: 'Write, tomorrow', projectId: `${other.id}` });
    expect((await getNewestTask(studio.world.people.member)).deadline).toBe(addDays(today, 1));
  });
});
