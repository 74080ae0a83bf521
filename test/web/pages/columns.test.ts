import { beforeAll, describe, expect, it } from 'vitest';
import { createProject } from '../../../src/projects/operations/change-projects.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  ({ id: project } = (await runForm(world.people.owner.token, createProject, { name: 'New' })).body);
});

async function listHeadings(query = '') {
  const { html } = await owner.open(`/projects/${project}${query}`);
  return [...html.matchAll(/<section class="column" id="column-(\w+)"/g)].map(([, status]) => status);
}

describe("a new project's board", () => {
  it('shows a hidden column while it contains tasks, whatever the filter', async () => {
    expect(await listHeadings()).toEqual(['todo', 'in_progress', 'completed']);
    const { id } = await createTask(world.people.owner, project, { status: 'client_review' });
    expect(await listHeadings()).toEqual(['todo', 'in_progress', 'client_review', 'completed']);
    expect(await listHeadings('?q=nothing')).toEqual(['todo', 'in_progress', 'client_review', 'completed']);
    await api(world.people.owner.token).post(`/tasks/${id}/archive`);
    expect(await listHeadings()).toEqual(['todo', 'in_progress', 'completed']);
  });

  it('warns about a column above its limit, but accepts more tasks', async () => {
    const settings = `/projects/${project}/settings`;
    const sent = await owner.send(settings, `/projects/${project}/columns`, {
      column: 'in_progress',
      label: 'Doing <b>',
      isHidden: 'false',
      limit: '1',
    });
    expect(sent.status).toBe(303);
    await createTask(world.people.owner, project, { status: 'in_progress', name: 'First' });
    expect((await owner.open(`/projects/${project}`)).html).toContain('class="limit" title="Limit 1">');
    await createTask(world.people.owner, project, { status: 'in_progress', name: 'Second' });
    const { html } = await owner.open(`/projects/${project}?q=First`);
    expect(html).toContain('class="limit over" title="Over the limit of 1">');
    expect(html).toContain('Doing &lt;b&gt;');
    expect(html).not.toContain('Doing <b>');
  });
});

describe("a project's status labels", () => {
  it('replace the default names on every page about the project', async () => {
    const { id } = await createTask(world.people.owner, project, { name: 'Labeled', status: 'completed' });
    const { id: child } = await createTask(world.people.owner, project, {
      parentId: id,
      status: 'in_progress',
    });
    await api(world.people.owner.token).patch(`/tasks/${child}`, { status: 'completed' });
    const label = 'Doing &lt;b&gt;';
    for (const path of [
      `/projects/${project}`,
      `/tasks?project=${project}`,
      `/board?project=${project}`,
      `/tasks/${id}`,
      `/tasks/new?project=${project}`,
      `/projects/${project}/settings`,
      `/dashboard?project=${project}`,
    ]) {
      const { html } = await owner.open(path);
      expect(html, path).toContain(label);
      expect(html, path).toContain('Done');
    }
    const { html } = await owner.open(`/tasks/${child}`);
    expect(html).toContain(`(was ${label})`);
    expect((await owner.open(`/tasks.csv?project=${project}&status=completed`)).html).toContain('Done');
    expect((await owner.open('/tasks')).html).not.toContain(label);
    expect((await owner.open('/tasks.csv')).html).toContain('Completed');
  });

  it("aren't offered for hidden statuses, except for the task's current status", async () => {
    const { id } = await createTask(world.people.owner, project, { status: 'internal_review' });
    const other = await createTask(world.people.owner, project);
    expect((await owner.open(`/tasks/${id}`)).html).toContain('<option value="internal_review"');
    expect((await owner.open(`/tasks/${other.id}`)).html).not.toContain('<option value="internal_review"');
  });
});
