import { beforeAll, describe, expect, it } from 'vitest';
import { addPerson, createProject, createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult, sendRequest } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

describe('a reference to a person', () => {
  it('can be an id, an email address, "me", or a name regardless of case', async () => {
    const { member, lead } = world.people;
    const { id } = await createTask(lead, world.projects.joined.id);
    for (const reference of [
      member.userId,
      member.email.toUpperCase(),
      member.name,
      member.name.toLowerCase(),
    ]) {
      const { results } = await callTool(token, 'update_task', { updates: [{ id, assignee: reference }] });
      expect(results[0].task.assignee).toBe(member.name);
    }
    const { results } = await callTool(token, 'update_task', { updates: [{ id, assignee: 'Me' }] });
    expect(results[0].task.assignee).toBe(lead.name);
  });

  it('is rejected with a list of candidates if the name is ambiguous, and nothing is written', async () => {
    const twins = [await addPerson(world, 'robin', 'member'), await addPerson(world, 'robin', 'client')];
    const project = world.projects.joined.id;
    const result = await getToolResult(token, 'create_task', {
      tasks: [{ project, name: 'For Robin', assignee: 'Robin Test' }],
    });
    expect(result.isError).toBe(true);
    for (const twin of twins) {
      expect(getResultText(result)).toContain(`- ${twin.userId} | Robin Test | ${twin.email}`);
    }
    expect((await callTool(token, 'find_tasks', { search: 'For Robin' })).total).toBe(0);
    const { results } = await callTool(token, 'create_task', {
      tasks: [{ project, name: 'For Robin', assignee: twins[1]?.email }],
    });
    expect(results[0].task.assignee).toBe('Robin Test');
  });

  it('can be a first name if only one person has it', async () => {
    const { id } = await createTask(world.people.lead, world.projects.joined.id);
    await addPerson(world, 'juno', 'member');
    const updated = await getToolResult(token, 'update_task', { updates: [{ id, assignee: 'JUNO' }] });
    expect(getResultText(updated)).toContain('| Juno Test |');
    // Now another person's name and email address also contain the word "juno".
    await addPerson(world, 'juno-maria', 'member');
    const rejected = await getToolResult(token, 'update_task', { updates: [{ id, assignee: 'juno' }] });
    expect(getResultText(rejected)).toContain("No person is named exactly 'juno'");
    for (const part of ['Test', 'jun']) {
      expect((await getToolResult(token, 'update_task', { updates: [{ id, assignee: part }] })).isError).toBe(
        true,
      );
    }
  });

  it('is rejected with instructions if the person is unknown or in another workspace', async () => {
    const elsewhere = await createWorld({ cell: 1 });
    for (const name of ['Nobody Known', elsewhere.people.owner.email]) {
      const result = await getToolResult(token, 'find_tasks', { assignee: name });
      expect(result.isError).toBe(true);
      expect(getResultText(result)).toBe(
        `No one in this workspace matches '${name}'. Pass a user id, an email, a name or "me"; find_people lists everyone.`,
      );
    }
  });
});

describe('a reference to a project', () => {
  it('can be an id as a number or string, or a name regardless of case', async () => {
    const { id } = world.projects.other;
    for (const project of [id, String(id), 'Other', 'oTHER ']) {
      expect((await callTool(token, 'find_projects', { project })).data[0].id).toBe(id);
    }
  });

  it('is rejected if the name is ambiguous, unless its case matches only one project', async () => {
    const { owner } = world.people;
    const [first, second] = [
      await createProject(world, { owner, name: 'Twin' }),
      await createProject(world, { owner, name: 'Twin' }),
    ];
    const exact = await createProject(world, { owner, name: 'TWIN' });
    const result = await getToolResult(token, 'find_tasks', { project: 'Twin' });
    expect(result.isError).toBe(true);
    expect(getResultText(result)).toBe(
      `2 projects are named 'Twin'; pass the id of one of these:\n- ${first.id} | Twin\n- ${second.id} | Twin`,
    );
    expect((await callTool(token, 'find_projects', { project: 'TWIN' })).data[0].id).toBe(exact.id);
  });

  it("is reported as unknown if the caller can't see the project", async () => {
    const client = await createOAuthToken(world, world.people.client);
    const answers = await Promise.all(
      ['Other', 'No such project'].map(async (project) =>
        getResultText(await getToolResult(client, 'find_tasks', { project })),
      ),
    );
    expect(answers[0]?.replace('Other', '…')).toBe(answers[1]?.replace('No such project', '…'));
    expect((await callTool(client, 'find_projects', { project: 'Joined' })).total).toBe(1);
  });
});

it('all names in a call are looked up in one database round trip, and ids and "me" need no lookup', async () => {
  const countTrips = async (args: object) => {
    const params = { name: 'find_tasks', arguments: args };
    await sendRequest('modern', token, 'tools/call', params);
    const response = await sendRequest('modern', token, 'tools/call', params);
    return /trips=(\d+)/.exec(response.headers.get('X-Cost') ?? '')?.[1];
  };
  expect(await countTrips({ project: world.projects.joined.id, assignee: 'me' })).toBe('1');
  expect(await countTrips({ project: 'Joined', assignee: world.people.member.name })).toBe('2');
});

it('without projects:read, calls can use ids but not names, and the error names the missing scope', async () => {
  const narrow = await createOAuthToken(world, world.people.lead, ['tasks:read']);
  expect(
    (await callTool(narrow, 'find_tasks', { assignee: 'me', project: world.projects.other.id })).total,
  ).toBe(0);
  const result = await getToolResult(narrow, 'find_tasks', { assignee: world.people.member.name });
  expect(result.isError).toBe(true);
  expect(getResultText(result)).toContain('projects:read');
});
