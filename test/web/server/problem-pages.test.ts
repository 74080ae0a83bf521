import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createWorkspace, createWorld, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let task: { id: number };

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  const session = api(world.people.member.token);
  task = (await session.post('/tasks', { projectId: world.projects.joined.id, name: 'Paint the fence' }))
    .body;
});

function readLayout(html: string) {
  return [html.includes('id="menu"'), html.includes('<body class="screen error-page"')];
}

describe('an error page', () => {
  it.each([
    ['an unknown URL', '/nowhere'],
    ['a task that does not exist', '/tasks/999999999'],
    ['an export with an invalid filter', '/tasks.csv?status=nothing'],
  ])('has the sidebar and takes at most two database round trips for %s', async (_what, path) => {
    await member.open('/projects');
    const { status, html, headers } = await member.open(path);
    expect([status, ...readLayout(html)]).toEqual([404, true, true]);
    expect(html).toContain('<p role="alert">');
    expect(headers.get('X-Cost')).toMatch(/^trips=[12] /);
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  });

  it("has no sidebar for signed-out people and people who aren't members", async () => {
    const other = await createWorkspace({ cell: 1 });
    const stranger = new WorkspaceBrowser(world);
    for (const [screens, base] of [
      [member, `/app/${other.id}`],
      [stranger, member.base],
    ] as const) {
      for (const [method, path] of [
        ['GET', '/tasks/999999999'],
        ['PUT', '/nowhere'],
        ['POST', '/settings'],
        ['GET', '/tasks.csv?status=nothing'],
      ] as const) {
        const answer = await screens.browser.request(base + path, { method });
        expect(readLayout(await answer.text()), path).toEqual([false, false]);
      }
    }
  });

  it("has the sidebar if a form was submitted from another site, or to a task that doesn't exist", async () => {
    const path = `/tasks/${task.id}`;
    const form = readHiddenFields((await member.open(path)).html, `${member.base}${path}/comments`);
    const foreign = await member.post(`${path}/comments`, form, { Origin: 'https://evil.example' });
    expect([foreign.status, ...readLayout(foreign.html)]).toEqual([403, true, true]);
    const gone = '/tasks/999999999';
    const late = { ...form, content: 'Too late', back: member.base + gone };
    const answer = await member.post(`${gone}/comments`, late);
    expect([answer.status, ...readLayout(answer.html)]).toEqual([404, true, true]);
  });
});
