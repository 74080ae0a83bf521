import { beforeAll, describe, expect, it } from 'vitest';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  member = await WorkspaceBrowser.signIn(world, world.people.member);
});

describe('filters with several values', () => {
  it('match tasks with any of the values, in lists, on boards and in CSV files', async () => {
    const { userId } = world.people.member;
    const other = world.people.owner.userId;
    const tasks = [
      ['Low for me', { priority: 'low', assigneeId: userId, tags: ['red'] }],
      ['High for someone', { priority: 'high', assigneeId: other, tags: ['blue'] }],
      ['Medium for no one', { tags: ['green'] }],
    ] as const;
    for (const [name, fields] of tasks)
      await createTask(world.people.member, world.projects.joined.id, {
        name,
        ...fields,
        status: 'client_review',
      });
    const expected = {
      'priority=low,high': ['Low for me', 'High for someone'],
      [`assignee=me,${other}`]: ['Low for me', 'High for someone'],
      'assignee=none,me': ['Low for me', 'Medium for no one'],
      'tag=green,%20red': ['Low for me', 'Medium for no one'],
      'status=todo,completed': [],
      'status=completed,client_review': tasks.map(([name]) => name),
    };
    for (const [query, names] of Object.entries(expected))
      for (const path of ['/tasks?', '/tasks.csv?', '/board?']) {
        const { status, html } = await member.open(`${path}${query}&project=${world.projects.joined.id}`);
        const found = tasks.map(([name]) => name).filter((name) => html.includes(name));
        expect([path, query, status, found]).toEqual([path, query, 200, names]);
      }
  });

  it.each([
    ['priority=high&assignee=me&status=todo', true],
    ['q=launch', false],
    ['tag=red', false],
    ['due=week', false],
  ])('let people add tasks to a board only if it would show them (%s)', async (query, isOffered) => {
    const { html } = await member.open(`/board?project=${world.projects.joined.id}&${query}`);
    expect([query, html.includes('class="quick-add"')]).toEqual([query, isOffered]);
  });

  it('show all their values, and an error if a value is unknown', async () => {
    const { userId } = world.people.owner;
    const { html } = await member.open(`/tasks?status=todo,open&assignee=none,${userId}`);
    expect(html).toContain('<option value="todo,open" selected="">To do, Open</option>');
    expect(html).toContain(`<option value="none,${userId}" selected="">Unassigned, `);
    expect((await member.open('/tasks?assignee=me,usr_unknown')).html).toContain(
      'This person isn&#39;t in this workspace.',
    );
    expect((await member.open('/tasks?status=todo,unknown')).html).toContain(
      '“todo,unknown” isn&#39;t a valid value.',
    );
  });
});
