import { beforeAll, describe, expect, it } from 'vitest';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { api, ORIGIN, send } from '../support/api.ts';
import { createMeeting, createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

const readLines = async (name: string, args: Record<string, unknown>, as = token) =>
  getResultText(await getToolResult(as, name, args)).split('\n');

describe("a tool's cursor", () => {
  it('skips no item if tasks are archived between pages, unlike an offset', async () => {
    const { owner } = world.people;
    const made: number[] = [];
    for (let index = 0; index < 9; index += 1) {
      made.push((await createTask(owner, world.projects.other.id, { name: `Finish ${index}` })).id);
    }
    const asked = { project: 'Other', search: 'Finish', limit: 4 };
    const seen: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, nextCursor } = await callTool(token, 'find_tasks', { ...asked, cursor });
      for (const { id } of data) {
        seen.push(id);
        await api(token).post(`/tasks/${id}/archive`);
      }
      cursor = nextCursor;
    }
    expect(seen).toEqual(made.toReversed());
  });

  it("also pages through project members, whose REST list isn't paginated", async () => {
    const args = { project: 'Joined', limit: 1 };
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, total, nextCursor } = await callTool(token, 'find_people', { ...args, cursor });
      expect(total).toBe(3);
      names.push(data[0].name);
      cursor = nextCursor;
    }
    expect(new Set(names).size).toBe(3);
  });

  it('is rejected with instructions if it is invented or belongs to another call', async () => {
    await createTask(world.people.lead, world.projects.joined.id);
    await createTask(world.people.lead, world.projects.joined.id);
    const { nextCursor } = await callTool(token, 'find_tasks', { project: 'Joined', limit: 1 });
    for (const args of [
      { limit: 1, cursor: nextCursor },
      { project: 'Joined', cursor: 'WzFd' },
    ]) {
      const result = await getToolResult(token, 'find_tasks', args);
      expect(result.isError).toBe(true);
      expect(getResultText(result)).toBe(
        'cursor must be the unchanged nextCursor of a call with the same arguments. Pass that cursor, or leave it out.',
      );
    }
  });
});

describe('a tool result', () => {
  it('has a note if the caller can see only part of the data', async () => {
    const { member, client, owner } = world.people;
    const [members, clients, owners] = [
      await createOAuthToken(world, member),
      await createOAuthToken(world, client),
      await createOAuthToken(world, owner),
    ];
    const cases: [string, string, Record<string, unknown>, string][] = [
      [
        members,
        'get_dashboard',
        { view: 'stats' },
        'your role is member, so you see only your projects and your tasks on the dashboard',
      ],
      [
        members,
        'get_dashboard',
        { view: 'workload' },
        'your role is member, so you see only your own workload',
      ],
      [
        members,
        'find_meetings',
        {},
        'your role is member, so you see only meetings in projects you are a member of',
      ],
      [
        clients,
        'get_dashboard',
        { view: 'comments' },
        "your role is client, so you see no dashboard comments (get_task shows a task's comments)",
      ],
      [clients, 'get_dashboard', { view: 'workload' }, 'your role is client, so you see no workload'],
      [
        clients,
        'find_tasks',
        {},
        'your role is client, so you see only tasks in your projects, and tasks you follow or are assigned',
      ],
      [clients, 'find_projects', {}, 'your role is client, so you see only projects you are a member of'],
    ];
    for (const [as, name, args, words] of cases) {
      const result = await getToolResult(as, name, args);
      expect(result.structuredContent.note, name).toContain(words);
      expect(getResultText(result).split('\n').at(-1)).toBe(result.structuredContent.note);
      expect((await getToolResult(owners, name, args)).structuredContent.note, name).toBeUndefined();
    }
    expect((await getToolResult(members, 'find_tasks')).structuredContent.note).toBeUndefined();
  });

  it('contains the period and hours of a workload, and the project of each listed task', async () => {
    await createTask(world.people.lead, world.projects.joined.id, {
      assigneeId: world.people.lead.userId,
      deadline: '2026-01-06',
    });
    const [window, person] = await readLines('get_dashboard', {
      view: 'workload',
      from: '2026-01-05',
      to: '2026-01-09',
    });
    expect(window).toBe('Workload (daily), 2026-01-05 to 2026-01-09');
    expect(person).toMatch(/^usr_\w+ \| Lead Test \| \d+% booked: \d+ of 40 h \| \d+ active/);
    const { id } = await createTask(world.people.lead, world.projects.joined.id, { name: 'Placed' });
    expect(await readLines('find_tasks', { search: 'Placed' })).toEqual([
      `#${id} Placed | todo | unassigned | Joined`,
      '1 in total.',
    ]);
  });

  it('is never shortened inside an emoji, and a call with textOffset continues without a gap', async () => {
    const { lead } = world.people;
    const family = '👩‍👩‍👧';
    const { id } = await createTask(lead, world.projects.joined.id, { description: family.repeat(1_200) });
    await api(lead.token).post(`/tasks/${id}/comments`, { content: `x${family.repeat(1_100)}` });
    const shown = { description: '', content: '' };
    for (let textOffset: number | undefined = 0; textOffset !== undefined; ) {
      const result = await getToolResult(token, 'get_task', { id, textOffset });
      const { description, comments } = result.structuredContent.task;
      for (const part of [description, comments[0].content]) {
        expect(part.replace(/^x/, '').replace(/…$/, '').replaceAll(family, '')).toBe('');
      }
      shown.description += description.replace(/…$/, '');
      shown.content += comments[0].content.replace(/…$/, '');
      const next = /textOffset=(\d+)/.exec(getResultText(result))?.[1];
      textOffset = next === undefined ? undefined : Number(next);
    }
    expect(shown).toEqual({ description: family.repeat(1_200), content: `x${family.repeat(1_100)}` });
  });

  it("lists a task's files, and on request their links, which work without authentication", async () => {
    const { lead } = world.people;
    const { id } = await createTask(lead, world.projects.joined.id);
    await confirmUpload(lead, id, { s3Key: await presignAndUpload(lead, id) });
    const plain = await getToolResult(token, 'get_task', { id });
    expect(plain.structuredContent.task.files[0]).not.toHaveProperty('url');
    expect(getResultText(plain)).not.toContain('http');
    const { task } = await callTool(token, 'get_task', { id, links: true });
    const { url } = task.files[0];
    expect(url.startsWith(`${ORIGIN}/downloads/`)).toBe(true);
    expect(await (await send(new Request(url))).text()).toBe('hello');
    const line = (await readLines('get_task', { id, links: true })).find((each) => each.startsWith('File '));
    expect(line).toMatch(/^File \d+ \| plan\.txt \| text\/plain \| 5 bytes \| Lead Test \| .* \| https:/);
    for (let index = 0; index < 11; index += 1)
      await confirmUpload(lead, id, { s3Key: await presignAndUpload(lead, id) });
    const full = await getToolResult(token, 'get_task', { id });
    expect(full.structuredContent.task).toMatchObject({ filesTotal: 12 });
    expect(full.structuredContent.task.files).toHaveLength(10);
    expect(getResultText(full)).toContain('10 of 12 files. To list all files, call again with part=files.');
  });
});

it('get_me returns the date, the time zone and what the caller can see', async () => {
  const { client, owner } = world.people;
  const today = new Date().toISOString().slice(0, 10);
  const lines = await readLines('get_me', {}, await createOAuthToken(world, client));
  expect(lines[1]).toBe(`Today is ${today} | time zone UTC`);
  expect(lines[2]).toMatch(
    /^Your role is client, so you see only projects you are a member of; .*no workload; /,
  );
  const all = await readLines('get_me', {}, await createOAuthToken(world, owner));
  expect(all[2]).toBe('Your role is owner, so you see everything in the workspace.');
});

describe("arguments that a tool doesn't use", () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'find_meetings',
      { id: 1, project: 'Joined', from: '2026-01-01' },
      "project and from can't be combined with id",
    ],
    ['find_meetings', { id: 1, limit: 5 }, "limit can't be combined with id"],
    ['find_meetings', { textOffset: 5 }, "textOffset can't be combined with a list"],
    ['find_projects', { project: 'Joined', scope: 'mine' }, "scope can't be combined with project"],
    ['find_projects', { textOffset: 5 }, "textOffset can't be combined with a list"],
    ['find_people', { person: 'me', limit: 5 }, "limit can't be combined with person"],
    ['get_task', { id: 1, limit: 5 }, "limit can't be combined with the whole task"],
    ['get_task', { id: 1, part: 'files', textOffset: 5 }, "textOffset can't be combined with part files"],
  ])('are rejected by %s: %j', async (name, args, words) => {
    const result = await getToolResult(token, name, args);
    expect(result.isError).toBe(true);
    expect(getResultText(result)).toContain(words);
  });

  it("are rejected, so a query about one project never returns another project's meeting", async () => {
    const { id } = await createMeeting(world.people.owner, world.projects.other.id);
    const owners = await createOAuthToken(world, world.people.owner);
    expect((await callTool(owners, 'find_meetings', { id })).data[0].project.name).toBe('Other');
    expect((await getToolResult(owners, 'find_meetings', { id, project: 'Joined' })).isError).toBe(true);
  });
});
