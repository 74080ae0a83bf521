// This file is long because the list, its bulk edit bar, its cells and its CSV file are tested with the same tasks.
import { beforeAll, describe, expect, it } from 'vitest';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { unescapeHtml } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorkspace, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let session: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  session = api(world.people.member.token);
});

const createNamedTask = (name: string) => createTask(world.people.member, world.projects.joined.id, { name });
const readTask = async (id: number) => (await session.get(`/tasks/${id}`)).body;

describe('the bulk edit bar', () => {
  /** Submits the bar as a browser does, with one `ids` field per selected task. */
  async function submitBulkBar(action: string, ids: readonly number[], chosen: Record<string, string> = {}) {
    const { html } = await member.open('/tasks');
    const form = new URLSearchParams({ ...readHiddenFields(html, `${member.base}/tasks/bulk`), ...chosen });
    for (const id of ids) form.append('ids', String(id));
    const answer = await member.browser.post(member.base + action, form);
    return {
      status: answer.status,
      location: answer.headers.get('Location'),
      html: await answer.text(),
    };
  }

  it('changes only the selected fields of every selected task', async () => {
    const [one, two, other] = [
      await createNamedTask('One'),
      await createNamedTask('Two'),
      await createNamedTask('Other'),
    ];
    await session.patch(`/tasks/${two.id}`, { deadline: '2026-05-01' });
    const { userId } = world.people.member;
    const answer = await submitBulkBar('/tasks/bulk', [one.id, two.id], {
      status: 'in_progress',
      assignee: userId,
    });
    expect([answer.status, answer.location]).toEqual([303, `${member.base}/tasks`]);
    expect(await readTask(one.id)).toMatchObject({ status: 'in_progress', assignee: { id: userId } });
    expect(await readTask(two.id)).toMatchObject({ status: 'in_progress', deadline: '2026-05-01' });
    expect(await readTask(other.id)).toMatchObject({ status: 'todo', assignee: null });
  });

  it('can clear the assignee and the deadline', async () => {
    const task = await createNamedTask('Unassigned again');
    await session.patch(`/tasks/${task.id}`, {
      assigneeId: world.people.member.userId,
      deadline: '2026-05-01',
    });
    await submitBulkBar('/tasks/bulk', [task.id], { assignee: 'none', noDeadline: 'true', priority: 'high' });
    expect(await readTask(task.id)).toMatchObject({ assignee: null, deadline: null, priority: 'high' });
  });

  it('archives tasks and restores them from the archive', async () => {
    const ids = [(await createNamedTask('Away')).id, (await createNamedTask('Away too')).id];
    expect((await submitBulkBar('/tasks/bulk/archive', ids)).status).toBe(303);
    expect((await readTask(ids[0] ?? 0)).isArchived).toBe(true);
    const { html } = await member.open('/tasks?archived=true');
    expect(html).toContain(`formaction="${member.base}/tasks/bulk/restore"`);
    expect(html).not.toContain('/tasks/bulk/archive"');
    await submitBulkBar('/tasks/bulk/restore', ids);
    expect((await readTask(ids[1] ?? 0)).isArchived).toBe(false);
  });

  it('changes nothing if one task is rejected, shows which one, and keeps the selection', async () => {
    const [good, gone] = [await createNamedTask('Good'), await createNamedTask('Archived meanwhile')];
    await session.post(`/tasks/${gone.id}/archive`);
    const answer = await submitBulkBar('/tasks/bulk', [good.id, gone.id], { status: 'completed' });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain(`#${gone.id}: Task ${gone.id} is archived`);
    expect(answer.html).toMatch(new RegExp(`name="ids" value="${good.id}" form="bulk" checked`));
    expect(await readTask(good.id)).toMatchObject({ status: 'todo' });
  });

  it('shows an error if no task is selected', async () => {
    const answer = await submitBulkBar('/tasks/bulk/archive', []);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('Select at least one task.');
  });
});

describe('a task list cell', () => {
  it('can be edited at its URL, and is displayed as text again after saving', async () => {
    const task = await createNamedTask('Changed where it stands');
    const page = `/tasks?project=${world.projects.joined.id}&edit=${task.id}&field=deadline`;
    const { html } = await member.open(page);
    expect(html).toContain(`<input id="cell-${task.id}-deadline" name="deadline" type="date"`);
    const answer = await member.send(page, `/tasks/${task.id}`, {
      field: 'deadline',
      deadline: '2026-06-07',
    });
    expect([answer.status, answer.location]).toEqual([
      303,
      `${member.base}/tasks?project=${world.projects.joined.id}`,
    ]);
    expect((await readTask(task.id)).deadline).toBe('2026-06-07');
  });

  it('remains an input field if the change is rejected', async () => {
    const task = await createNamedTask('Refused where it stands');
    const page = `/tasks?edit=${task.id}&field=assignee`;
    const stranger = (await createWorkspace()).people.owner.userId;
    const answer = await member.send(page, `/tasks/${task.id}`, {
      field: 'assigneeId',
      assigneeId: stranger,
    });
    expect(answer.status).toBe(400);
    const [select = ''] = new RegExp(`<select id="cell-${task.id}-assignee"[^>]*>`).exec(answer.html) ?? [];
    expect(select).toContain('aria-invalid="true"');
    expect(answer.html).toContain(`id="cell-${task.id}-assignee-problem"`);
  });

  it('is displayed for the columns in the URL, or for the default columns if there are none', async () => {
    const listHeadings = async (query: string) => {
      const { html } = await member.open(`/tasks${query}`);
      return [...html.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, text]) => text);
    };
    expect(await listHeadings('')).toEqual(['Task', 'Status', 'Priority', 'Assignee', 'Deadline', 'Project']);
    expect(await listHeadings('?cols=tags&cols=status')).toEqual(['Task', 'Status', 'Tags']);
    expect((await member.open('/tasks?cols=nonsense')).status).toBe(404);
  });
});

describe('a board card', () => {
  it('shows the number of comments and files, whatever the filter', async () => {
    const task = await createNamedTask('Counted card');
    for (const content of ['One', 'Two']) await session.post(`/tasks/${task.id}/comments`, { content });
    const s3Key = await presignAndUpload(world.people.member, task.id);
    expect((await confirmUpload(world.people.member, task.id, { s3Key })).status).toBe(201);
    for (const query of ['', '?q=Counted', '?sort=due']) {
      const { html } = await member.open(`/projects/${world.projects.joined.id}${query}`);
      const [, card = ''] = html.split(`<a id="task-${task.id}"`);
      const [facts = ''] = card.split('</li>');
      const read = facts.replace(/<[^>]*>/g, '');
      expect([query, read]).toEqual([query, expect.stringContaining('2 comments')]);
      expect(read).toContain('1 file');
    }
  });
});

describe('the task list as a CSV file', () => {
  const openTaskList = async (screens: WorkspaceBrowser, query = '') => {
    const answer = await screens.open(`/tasks.csv${query}`);
    return { ...answer, lines: parseCsv(answer.html) };
  };

  it('contains every matching task in order, however many there are', async () => {
    const project = (await createProject('Long list')).id;
    for (const part of [0, 1, 2]) {
      const tasks = Array.from({ length: part === 2 ? 30 : 100 }, (_, index) => ({
        projectId: project,
        name: `Line ${part * 100 + index}`,
      }));
      expect((await session.post('/tasks/bulk', { tasks })).status).toBe(201);
    }
    const { status, headers, lines } = await openTaskList(member, `?project=${project}`);
    expect([status, headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="tasks.csv"',
    ]);
    expect(lines[0]).toEqual(['Number', 'Task', 'Status', 'Priority', 'Assignee', 'Deadline']);
    expect(lines.slice(1).map(([, name]) => name)).toEqual(
      Array.from({ length: 230 }, (_, index) => `Line ${229 - index}`),
    );
  });

  it('contains the parent and checklist progress if the list shows them', async () => {
    const project = (await createProject('Structured')).id;
    const parent = (await session.post('/tasks', { projectId: project, name: 'Parent' })).body.id;
    const checklist = [{ text: 'One', isDone: true }, { text: 'Two' }, { text: 'Three' }];
    await session.post('/tasks', { projectId: project, name: 'Child', parentId: parent, checklist });
    const { lines } = await openTaskList(member, `?project=${project}&cols=parent&cols=checklist`);
    expect(lines.map(([, ...columns]) => columns)).toEqual([
      ['Task', 'Parent', 'Checklist'],
      ['Child', String(parent), '1 of 3'],
      ['Parent', '', ''],
    ]);
  });

  it('contains the progress of subtasks and the repetition if the list shows them', async () => {
    const project = (await createProject('Repeating')).id;
    const parent = (
      await session.post('/tasks', { projectId: project, name: 'Parent', deadline: '2027-01-04' })
    ).body.id;
    const rule = { rule: 'FREQ=WEEKLY;BYDAY=MO', mode: 'completion' };
    await session.put(`/tasks/${parent}/recurrence`, rule);
    for (const status of ['todo', 'completed'])
      await session.post('/tasks', { projectId: project, name: 'Child', parentId: parent, status });
    const query = `?project=${project}&parent=none&cols=subtasks&cols=repeat`;
    const { lines } = await openTaskList(member, query);
    expect(lines.map(([, ...columns]) => columns)).toEqual([
      ['Task', 'Subtasks', 'Repeat'],
      ['Parent', '1 of 2', 'Every Monday, after completion'],
    ]);
    const { html } = await member.open(`/tasks${query}`);
    expect(html.split('1 of 2 subtasks completed').length).toBe(2);
    expect(html).toContain('Every Monday, after completion');
    expect(
      (await openTaskList(member, `?project=${project}&parent=${parent}&cols=repeat`)).lines.length,
    ).toBe(3);
  });

  it('keeps text unchanged, unless a spreadsheet would run it as a formula', async () => {
    const project = (await createProject('Formulas')).id;
    const names = [
      '=HYPERLINK("https://evil.example";"click")',
      '+1',
      '-1',
      '@SUM(A1)',
      '\tтаб',
      '＝1+1',
      'Say "hello", then go\non',
      "'quoted",
    ];
    for (const name of names) await session.post('/tasks', { projectId: project, name });
    const { html, lines } = await openTaskList(member, `?project=${project}&cols=priority`);
    const texts = lines.slice(1).map(([, name]) => name);
    expect(texts.reverse()).toEqual([...names.slice(0, 6).map((name) => `'${name}`), ...names.slice(6)]);
    // Every line ends with CR LF, including the last.
    expect(html.endsWith('"\r\n')).toBe(true);
  });

  it("contains the same tasks as the person's list, and is hidden from others", async () => {
    const hidden = await createTask(world.people.owner, world.projects.other.id, { name: 'Not for clients' });
    const client = await WorkspaceBrowser.signIn(world, world.people.client);
    const shown = (await openTaskList(client)).lines.map(([id]) => id);
    expect(shown).not.toContain(String(hidden.id));
    expect((await openTaskList(member)).lines.map(([id]) => id)).toContain(String(hidden.id));
    const stranger = await createWorkspace();
    const other = await WorkspaceBrowser.signIn(stranger, stranger.people.owner);
    const foreign = await other.browser.get(`${member.base}/tasks.csv`);
    expect(foreign.status).toBe(404);
    const noOne = await new WorkspaceBrowser(world).open('/tasks.csv');
    expect([noOne.status, unescapeHtml(noOne.headers.get('Location') ?? '')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`${member.base}/tasks.csv`)}`,
    ]);
    expect((await member.open('/tasks.csv?assignee=usr_nobody')).status).toBe(400);
  });

  async function createProject(name: string): Promise<{ id: number }> {
    const answer = await member.send('/projects/new', '/projects', { name, description: '' });
    return { id: Number(answer.location?.split('/').at(-1)) };
  }
});

/** Parses CSV strictly: every cell must be quoted, quotes must be doubled, and lines must end with CR LF. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  const cells = /"((?:[^"]|"")*)"(,|\r\n)/y;
  cells.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  for (let cell = cells.exec(text); cell; cell = cells.exec(text)) {
    lines.at(-1)?.push((cell[1] ?? '').replaceAll('""', '"'));
    if (cell[2] === '\r\n') lines.push([]);
    if (cells.lastIndex === text.length) return lines.slice(0, -1);
  }
  return [];
}
