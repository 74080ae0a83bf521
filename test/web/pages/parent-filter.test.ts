import { beforeAll, describe, expect, it } from 'vitest';
import { unescapeHtml } from '../../oauth/flow.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { readFilterErrors, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let client: WorkspaceBrowser;
beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  client = await WorkspaceBrowser.signIn(world, world.people.client);
});

const createJoinedTask = (name: string, fields = {}) =>
  createTask(world.people.lead, world.projects.joined.id, { name, ...fields });
const getPaths = () => ['/tasks', '/board', `/projects/${world.projects.joined.id}`];
const findBy = (text: string) => `find-task-parent=${encodeURIComponent(text)}`;
const readLocation = async (who: WorkspaceBrowser, path: string) =>
  (await who.open(path)).headers.get('Location') ?? '';

describe('the filter by parent', () => {
  it('finds the parent by name or number on lists and boards, without JavaScript', async () => {
    const parent = await createJoinedTask('Plan <the> launch');
    await createJoinedTask('Book a room', { parentId: parent.id });
    for (const path of getPaths()) {
      for (const text of [
        'plan <the> LAUNCH',
        'the> lau',
        `#${parent.id}`,
        `Plan <the> launch #${parent.id}`,
      ]) {
        const location = await readLocation(owner, `${path}?status=todo&parent=&${findBy(text)}`);
        expect(location, `${path} ${text}`).toContain(`parent=${parent.id}`);
        expect(location).not.toContain('find-');
      }
      const { html } = await owner.open(`${path}?parent=${parent.id}`);
      expect(html).toContain('Book a room');
      expect(html).toContain(
        `<option value="${parent.id}" selected="">Parent: Plan &lt;the&gt; launch</option>`,
      );
    }
  });

  it('shows the name of a parent without subtasks, but not of one that the person cannot see', async () => {
    const empty = await createJoinedTask('Nothing below');
    const hidden = await createTask(world.people.owner, world.projects.other.id, { name: 'Hidden parent' });
    for (const path of getPaths()) {
      expect((await client.open(`${path}?parent=${empty.id}`)).html).toContain('Parent: Nothing below');
      const { status, html } = await client.open(`${path}?parent=${hidden.id}`);
      expect([status, html.includes('Hidden parent'), html.includes(`Parent: #${hidden.id}`)]).toEqual([
        200,
        false,
        true,
      ]);
      const missing = await client.open(`${path}?${findBy('Hidden parent')}`);
      expect(readFilterErrors(missing.html)).toEqual([
        ['find-task-filter-parent', expect.stringContaining('No task matches “Hidden parent”')],
      ]);
    }
  });

  it('names the tasks if several match, and keeps the entered text', async () => {
    const [one, two] = [await createJoinedTask('Twin alpha'), await createJoinedTask('Twin beta')];
    const { html } = await owner.open(`/tasks?${findBy('twin')}`);
    const [[field, problem] = []] = readFilterErrors(html);
    expect(field).toBe('find-task-filter-parent');
    expect(unescapeHtml(problem ?? '')).toContain(`Twin beta #${two.id}, Twin alpha #${one.id}`);
    expect(html).toContain('value="twin"');
  });
});
