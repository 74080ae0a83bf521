import { Parser } from 'htmlparser2';
import { beforeAll, describe, expect, it } from 'vitest';
import { forms, screens } from '../../../src/web/pages/screens.ts';
import { api } from '../../support/api.ts';
import { createTask } from '../../support/world.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';
import { readHiddenFields } from './workspace-browser.ts';

let fullWorkspace: FullWorkspace;
let session: ReturnType<typeof api>;
beforeAll(async () => {
  fullWorkspace = await createFullWorkspace('Lines');
  session = api(fullWorkspace.world.people.owner.token);
});

interface FormControl {
  readonly page: string;
  readonly action: string;
  readonly tag: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

async function listControls(): Promise<FormControl[]> {
  const { owner, idsByParameter } = fullWorkspace;
  const found: FormControl[] = [];
  const addresses = screens
    .filter(({ redirectTo }) => !redirectTo)
    .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(idsByParameter[name])));
  const others = [
    `/tasks?edit=${idsByParameter.task}&field=deadline`,
    `/projects/${idsByParameter.otherProject}/sharing`,
    `/meetings/new?project=${idsByParameter.project}&date=2026-12-01&time=10:00`,
  ];
  for (const page of [...addresses, ...others]) {
    let action = '';
    const parser = new Parser({
      onopentag(tag, attributes) {
        const { name, type } = attributes;
        if (tag === 'form') action = attributes.action?.replace(owner.base, '') ?? '';
        if (name && type !== 'hidden' && (tag === 'input' || tag === 'textarea'))
          found.push({ page, action, tag, name, attributes });
      },
    });
    parser.end((await owner.open(page)).html);
  }
  return found;
}

describe('form fields on pages', () => {
  it('are multi-line text areas if, and only if, their form declares them as multiline', async () => {
    const areas = (await listControls()).filter(
      ({ tag, attributes }) => tag === 'textarea' && attributes['data-line'] === undefined,
    );
    const toPathPattern = (path: string) => path.replace(/:\w+|\b\d+\b/g, ':');
    const shown = areas.map(({ action, name }) => `${toPathPattern(action)} ${name}`);
    const declared = forms.flatMap(({ path, multiline = [] }) =>
      multiline.map((name) => `${toPathPattern(path)} ${name}`),
    );
    expect([...new Set(shown)].sort()).toEqual(declared.sort());
  });

  it("don't accept dates before 1970", async () => {
    const dates = (await listControls()).filter(
      ({ attributes: { type } }) => type === 'date' || type === 'datetime-local',
    );
    expect(dates.length).toBeGreaterThan(5);
    for (const { page, name, attributes } of dates)
      expect([page, name, (attributes.min ?? '') >= '1970-01-01']).toEqual([page, name, true]);
  });
});

describe('a name with line breaks', () => {
  it.each([
    [
      'a task',
      () => `/tasks/${fullWorkspace.idsByParameter.task}`,
      () => `/tasks/${fullWorkspace.idsByParameter.task}`,
      () => `/tasks/${fullWorkspace.idsByParameter.task}`,
    ],
    ['a new task', () => '/tasks/new', () => '/tasks/new', null],
    [
      'a project',
      () => `/projects/${fullWorkspace.idsByParameter.project}/settings`,
      () => `/projects/${fullWorkspace.idsByParameter.project}`,
      () => `/projects/${fullWorkspace.idsByParameter.project}`,
    ],
    ['a team', () => '/teams', () => '/teams', null],
  ])('is stored on one line (%s)', async (_what, page, action, read) => {
    const { owner } = fullWorkspace;
    const sent = {
      name: `\r\nOne\r\n\r\nline of ${_what}\n`,
      ...(_what === 'a new task' && { projectId: String(fullWorkspace.idsByParameter.project) }),
    };
    const answer = await owner.send(page(), action(), sent);
    expect([answer.status, answer.html]).toEqual([303, '']);
    const stored = read
      ? (await session.get(read())).body.name
      : (await owner.open(answer.location?.replace(owner.base, '') ?? page())).html;
    if (read) expect(stored).toBe(`One line of ${_what}`);
    else expect(stored).toContain(`One line of ${_what}`);
  });

  it('is displayed on one line, and is stored unchanged until a person edits it', async () => {
    const { owner, world } = fullWorkspace;
    const task = await createTask(world.people.owner, world.projects.joined.id, { name: 'Over\ntwo lines' });
    const { html } = await owner.open(`/tasks/${task.id}`);
    expect(html).toMatch(/<textarea[^>]*name="name"[^>]*>\s*Over two lines\s*<\/textarea>/);
    const form = readHiddenFields(html, `${owner.base}/tasks/${task.id}`, { name: '' });
    const answer = await owner.post(`/tasks/${task.id}`, { ...form, name: 'Over two lines' });
    expect(answer.status).toBe(303);
    expect((await session.get(`/tasks/${task.id}`)).body.name).toBe('Over\ntwo lines');
    const renamed = await owner.send(`/tasks/${task.id}`, `/tasks/${task.id}`, {
      field: 'name',
      name: 'One',
    });
    expect([renamed.status, (await session.get(`/tasks/${task.id}`)).body.name]).toEqual([303, 'One']);
  });
});

describe('a date before 1970', () => {
  it.each([
    ['deadline', '0202-12-24'],
    ['startDate', '1969-12-31'],
  ])('is rejected with an error next to the %s field, and nothing is stored', async (field, date) => {
    const { owner, world } = fullWorkspace;
    const { id } = await createTask(world.people.owner, world.projects.joined.id, { name: 'Dated' });
    const answer = await owner.send(`/tasks/${id}`, `/tasks/${id}`, { field, [field]: date });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain(`id="${field}-problem">Enter a date in 1970 or later.<`);
    expect((await session.get(`/tasks/${id}`)).body[field]).toBeNull();
    const fits = await owner.send(`/tasks/${id}`, `/tasks/${id}`, { field, [field]: '1970-01-01' });
    expect([fits.status, (await session.get(`/tasks/${id}`)).body[field]]).toEqual([303, '1970-01-01']);
  });

  it('is rejected by filters in the web app, but accepted by the API', async () => {
    const { owner, world } = fullWorkspace;
    expect((await owner.open('/time-report?from=0202-12-24')).html).toContain(
      'Enter a date in 1970 or later.',
    );
    const made = await session.post('/tasks', {
      projectId: world.projects.joined.id,
      name: 'Old',
      deadline: '1850-01-01',
    });
    expect([made.status, made.body.deadline]).toEqual([201, '1850-01-01']);
  });
});
