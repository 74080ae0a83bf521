import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { addPerson, createTask, createTeam, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

describe('a filter by team', () => {
  it('accepts the id or name of a team, and finds tasks assigned to members of the team and its subteams', async () => {
    const crew = await createWorld();
    const { lead, member, owner } = crew.people;
    const leads = await createOAuthToken(crew, lead);
    const web = await createTeam(crew, { name: 'Web', members: [member] });
    await createTeam(crew, { name: 'Backend', members: [lead], parent: web });
    await createTeam(crew, { name: 'Empty' });
    const project = crew.projects.joined.id;
    const tasks = [];
    for (const { userId } of [member, lead, owner])
      tasks.push((await createTask(lead, project, { assigneeId: userId })).id);
    const findTasks = async (args: object) =>
      (await callTool(leads, 'find_tasks', { ...args })).data.map((each: RestValue) => each.id).sort();
    expect(await findTasks({ team: 'web' })).toEqual(tasks.slice(0, 2));
    expect(await findTasks({ team: web })).toEqual(tasks.slice(0, 2));
    expect(await findTasks({ team: 'Backend' })).toEqual([tasks[1]]);
    expect(await findTasks({ team: 'Web', assignee: ['me', 'Owner'] })).toEqual([tasks[1]]);
    const changed = await callTool(leads, 'update_task', {
      filter: { team: 'Backend' },
      set: { priority: 'low' },
      count: 1,
    });
    expect(changed.results).toMatchObject([{ task: { id: tasks[1] } }]);
    for (const [args, words] of [
      [
        { team: 'Nowhere' },
        "No team is named 'Nowhere'. Send a team's id. list_reference (kind teams) lists all teams. Candidates:\n- ",
      ],
      [{ team: 'Empty' }, 'This team has no members'],
      [{ team: 'Web', assignee: 'Owner' }, 'None of the assignees belong to this team.'],
    ] as const) {
      const result = await getToolResult(leads, 'find_tasks', args);
      expect(result.isError).toBe(true);
      expect(getResultText(result)).toContain(words);
    }
  });
});

describe('statuses', () => {
  it('are spelled the same on the dashboard as in other tools', async () => {
    const studio = await createWorld();
    const { lead } = studio.people;
    const leads = await createOAuthToken(studio, lead);
    const project = studio.projects.joined.id;
    const late = await createTask(lead, project, {
      assigneeId: lead.userId,
      status: 'internal_review',
      deadline: '2026-01-05',
    });
    const done = await createTask(lead, project, {
      assigneeId: lead.userId,
      status: 'completed',
      deadline: '2026-01-05',
    });
    const soon = await createTask(lead, project, {
      assigneeId: lead.userId,
      status: 'in_progress',
      deadline: '2999-01-05',
    });
    const listDashboardTasks = async (args: object) =>
      (await callTool(leads, 'get_dashboard', { view: 'tasks', ...args })).data;
    expect((await listDashboardTasks({})).map((each: RestValue) => [each.id, each.status])).toEqual([
      [late.id, 'internal_review'],
      [soon.id, 'in_progress'],
    ]);
    expect((await listDashboardTasks({ overdue: true })).map((each: RestValue) => each.id)).toEqual([
      late.id,
    ]);
    expect((await listDashboardTasks({ status: 'completed' })).map((each: RestValue) => each.id)).toEqual([
      done.id,
    ]);
    const workload = await getToolResult(leads, 'get_dashboard', { view: 'workload' });
    expect(getResultText(workload)).not.toMatch(/in-progress|internal-review|client-review/);
    expect(workload.structuredContent.data[0].breakdown.map((each: RestValue) => each.key)).toContain(
      'internal_review',
    );
    for (const [args, words] of [
      [{ view: 'stats', overdue: true }, "'overdue' requires the view 'tasks'; got the view 'stats'"],
      [{ view: 'tasks', overdue: true, to: '2026-01-01' }, "Omit the arguments 'status' and 'to'."],
    ] as const)
      expect(getResultText(await getToolResult(leads, 'get_dashboard', args))).toContain(words);
  });
});

describe('update_meeting', () => {
  it('lists exactly the people who were notified', async () => {
    const { lead, member } = world.people;
    const guest = await addPerson(world, 'guest', 'member');
    const { meeting } = await callTool(token, 'create_meeting', {
      project: 'Joined',
      name: 'Sync',
      date: '2027-05-03',
      time: '09:30',
      participants: ['me', member.name],
    });
    const moved = await getToolResult(token, 'update_meeting', { id: meeting.id, time: '10:00' });
    expect(moved.structuredContent.notified).toEqual([member.name]);
    expect(getResultText(moved).split('\n')[1]).toBe(`Notified ${member.name}`);
    const countUpdates = async (person: typeof lead) =>
      (await api(person.token).get('/notifications?limit=100')).body.data.filter(
        (each: RestValue) => each.type === 'meeting_updated',
      ).length;
    expect([await countUpdates(member), await countUpdates(lead), await countUpdates(guest)]).toEqual([
      1, 0, 0,
    ]);
    const same = await getToolResult(token, 'update_meeting', { id: meeting.id, time: '10:00' });
    expect(same.structuredContent.notified).toEqual([]);
    expect(getResultText(same)).toContain('No one was notified.');
    expect(await countUpdates(member)).toBe(1);
  });
});
