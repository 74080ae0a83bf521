import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let screens: WorkspaceBrowser;
beforeAll(async () => {
  world = await createWorld();
  screens = await WorkspaceBrowser.signIn(world, world.people.member);
});

const createNamedTask = (name: string) => createTask(world.people.member, world.projects.joined.id, { name });
const listRelations = async (id: number) =>
  (await api(world.people.member.token).get(`/tasks/${id}/relations`)).body.data;

describe('relations in the web app', () => {
  it('are added by number, name or suggestion, and link to the other task', async () => {
    const task = await createNamedTask('Launch');
    const page = `/tasks/${task.id}`;
    const add = (type: string, text: string) => screens.send(page, `${page}/relations`, { type, task: text });
    const one = await createNamedTask('Approve the budget');
    const two = await createNamedTask('Print <b>flyers</b>');
    const three = await createNamedTask('Book the venue #3');
    expect((await add('blocked_by', `#${one.id}`)).status).toBe(303);
    expect((await add('relates_to', 'print <B>FLYERS</b>')).status).toBe(303);
    expect((await add('duplicates', `Book the venue #3 #${three.id}`)).status).toBe(303);
    expect(
      (await listRelations(task.id)).map(({ type, task }: { type: string; task: { id: number } }) => [
        type,
        task.id,
      ]),
    ).toEqual([
      ['blocked_by', one.id],
      ['relates_to', two.id],
      ['duplicates', three.id],
    ]);
    const shown = (await screens.open(page)).html;
    expect(shown).toContain('Blocked by');
    expect(shown).toContain(`href="${screens.base}/tasks/${two.id}">Print &lt;b&gt;flyers&lt;/b&gt;</a>`);
    expect(shown).toContain('<span class="badge off">Blocked</span>');
    expect(shown).toContain(`added a relation: blocked by #${one.id}`);
    expect((await screens.open(`/tasks/${one.id}`)).html).toContain('Blocks');
  });

  it('are rejected with an error if the name is unknown or ambiguous, and the typed text is kept', async () => {
    const task = await createNamedTask('Alone');
    await createNamedTask('Twin');
    await createNamedTask('Twin');
    const page = `/tasks/${task.id}`;
    const add = (text: string) =>
      screens.send(page, `${page}/relations`, { type: 'blocks', task: text }).then(({ html }) => html);
    expect(await add('Nothing like it')).toContain('No task matches “Nothing like it”.');
    const ambiguous = await add('Twin');
    expect(ambiguous).toContain('Several tasks match: Twin #');
    expect(ambiguous).toContain('value="Twin"');
    expect(await add('')).toContain('Enter the name of a task');
    expect(await add(`${task.id}`)).toContain('must be another task');
    expect(await listRelations(task.id)).toEqual([]);
  });

  it('can be removed, and the removal can be undone', async () => {
    const [task, other] = [await createNamedTask('Before'), await createNamedTask('After')];
    const page = `/tasks/${task.id}`;
    await screens.send(page, `${page}/relations`, { type: 'blocks', task: `#${other.id}` });
    const [{ id }] = await listRelations(task.id);
    const fields = { type: 'blocks', task: `#${other.id}` };
    expect((await screens.send(page, `${page}/relations/${id}/remove`, fields)).status).toBe(303);
    expect(await listRelations(task.id)).toEqual([]);
    expect((await screens.open(page)).html).toContain('Relation removed');
    await screens.send(page, `${page}/relations`, fields);
    expect(await listRelations(task.id)).toMatchObject([{ type: 'blocks', task: { id: other.id } }]);
  });

  it('mark a blocked task on boards and in lists until the task is completed', async () => {
    const [task, other] = [await createNamedTask('Waits'), await createNamedTask('Goes first')];
    const mark = '<span class="badge off">Blocked</span>';
    const openHtml = async (path: string) => (await screens.open(path)).html;
    const board = `/projects/${world.projects.joined.id}`;
    const countMarks = async (path: string) => (await openHtml(path)).split(mark).length - 1;
    const before = [await countMarks(board), await countMarks('/tasks')];
    await api(world.people.member.token).post(`/tasks/${task.id}/relations`, {
      type: 'blocked_by',
      taskId: other.id,
    });
    expect([await countMarks(board), await countMarks('/tasks')]).toEqual(before.map((count) => count + 1));
    await api(world.people.member.token).patch(`/tasks/${task.id}`, { status: 'completed' });
    expect([await countMarks(board), await countMarks('/tasks')]).toEqual(before);
    expect(await openHtml('/tasks?cols=blocked')).toContain('Yes');
    const blocked = await createNamedTask('Waits, too');
    await api(world.people.member.token).post(`/tasks/${blocked.id}/relations`, {
      type: 'blocked_by',
      taskId: other.id,
    });
    expect(await openHtml('/tasks?blocked=true')).toContain('Waits, too');
    expect(await openHtml('/tasks?blocked=true')).not.toContain('Goes first');
    expect(await openHtml('/tasks?blocked=false')).not.toContain('Waits, too');
  });

  it('have a field that suggests tasks by name or number', async () => {
    const task = await createNamedTask('Paint the fence');
    const openHtml = async (query: string) => (await screens.open(`/tasks/find${query}`)).html;
    expect(await openHtml('?q=paint')).toContain(`data-value="Paint the fence #${task.id}"`);
    expect(await openHtml(`?q=${encodeURIComponent(`#${task.id}`)}`)).toContain('Paint the fence');
    expect(await openHtml('')).toContain('Name or number');
  });
});
