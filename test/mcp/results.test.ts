import { beforeAll, describe, expect, it } from 'vitest';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { api, ORIGIN, send } from '../support/api.ts';
import { createMeeting, createTask, createWorld, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await tokenOf(world, world.people.lead);
});

const linesOf = async (name: string, args: Record<string, unknown>, as = token) =>
  textOf(await call(as, name, args)).split('\n');

describe("a tool's cursor", () => {
  it('skips no item after a write, unlike an offset', async () => {
    const { owner } = world.people;
    const made: number[] = [];
    for (let index = 0; index < 9; index += 1) {
      made.push((await createTask(owner, world.projects.other.id, { name: `Finish ${index}` })).id);
    }
    const asked = { project: 'Other', search: 'Finish', limit: 4 };
    const seen: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, nextCursor } = await use(token, 'find_tasks', { ...asked, cursor });
      for (const { id } of data) {
        seen.push(id);
        await api(token).post(`/tasks/${id}/archive`);
      }
      cursor = nextCursor;
    }
    expect(seen).toEqual(made.toReversed());
  });

  it("continues after the last person in a list that isn't paginated", async () => {
    const args = { project: 'Joined', limit: 1 };
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, total, nextCursor } = await use(token, 'find_people', { ...args, cursor });
      expect(total).toBe(3);
      names.push(data[0].name);
      cursor = nextCursor;
    }
    expect(new Set(names).size).toBe(3);
  });

  it('is rejected with instructions if it is invented or belongs to another call', async () => {
    await createTask(world.people.lead, world.projects.joined.id);
    await createTask(world.people.lead, world.projects.joined.id);
    const { nextCursor } = await use(token, 'find_tasks', { project: 'Joined', limit: 1 });
    for (const args of [
      { limit: 1, cursor: nextCursor },
      { project: 'Joined', cursor: 'WzFd' },
    ]) {
      const result = await call(token, 'find_tasks', args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe(
        'cursor must be the unchanged nextCursor of a call with the same arguments. Pass that cursor, or leave it out.',
      );
    }
  });
});

describe('a tool result', () => {
  it('has a note if the role can see only part of the data', async () => {
    const { member, client, owner } = world.people;
    const [members, clients, owners] = [
      await tokenOf(world, member),
      await tokenOf(world, client),
      await tokenOf(world, owner),
    ];
    const cases: [string, string, Record<string, unknown>, string][] = [
      [
        members,
        'get_dashboard',
        { view: 'stats' },
        'as member, you see only your projects and your tasks on the dashboard',
      ],
      [members, 'get_dashboard', { view: 'workload' }, 'as member, you see only your own workload'],
      [members, 'find_meetings', {}, 'as member, you see only meetings in projects you are a member of'],
      [
        clients,
        'get_dashboard',
        { view: 'comments' },
        "as client, you see no dashboard comments (get_task shows a task's comments)",
      ],
      [clients, 'get_dashboard', { view: 'workload' }, 'as client, you see no workload'],
      [
        clients,
        'find_tasks',
        {},
        'as client, you see only tasks in your projects, and tasks you follow or are assigned',
      ],
      [clients, 'find_projects', {}, 'as client, you see only projects you are a member of'],
    ];
    for (const [as, name, args, words] of cases) {
      const result = await call(as, name, args);
      expect(result.structuredContent.note, name).toContain(words);
      expect(textOf(result).split('\n').at(-1)).toBe(result.structuredContent.note);
      expect((await call(owners, name, args)).structuredContent.note, name).toBeUndefined();
    }
    expect((await call(members, 'find_tasks')).structuredContent.note).toBeUndefined();
  });

  it("includes the workload's period and hours, and each task's project", async () => {
    await createTask(world.people.lead, world.projects.joined.id, {
      assigneeId: world.people.lead.userId,
      deadline: '2026-01-06',
    });
    const [window, person] = await linesOf('get_dashboard', {
      view: 'workload',
      from: '2026-01-05',
      to: '2026-01-09',
    });
    expect(window).toBe('Workload daily, 2026-01-05 to 2026-01-09');
    expect(person).toMatch(/^usr_\w+ \| Lead Test \| \d+ % full: \d+ of 40 h \| \d+ active/);
    const { id } = await createTask(world.people.lead, world.projects.joined.id, { name: 'Placed' });
    expect(await linesOf('find_tasks', { search: 'Placed' })).toEqual([
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
      const result = await call(token, 'get_task', { id, textOffset });
      const { description, comments } = result.structuredContent.task;
      for (const part of [description, comments[0].content]) {
        expect(part.replace(/^x/, '').replace(/…$/, '').replaceAll(family, '')).toBe('');
      }
      shown.description += description.replace(/…$/, '');
      shown.content += comments[0].content.replace(/…$/, '');
      const next = /textOffset=(\d+)/.exec(textOf(result))?.[1];
      textOffset = next === undefined ? undefined : Number(next);
    }
    expect(shown).toEqual({ description: family.repeat(1_200), content: `x${family.repeat(1_100)}` });
  });

  it("lists a task's files, and on request their links, which work without authentication", async () => {
    const { lead } = world.people;
    const { id } = await createTask(lead, world.projects.joined.id);
    await confirmUpload(lead, id, { s3Key: await presignAndUpload(lead, id) });
    const plain = await call(token, 'get_task', { id });
    expect(plain.structuredContent.task.files[0]).not.toHaveProperty('url');
    expect(textOf(plain)).not.toContain('http');
    const { task } = await use(token, 'get_task', { id, links: true });
    const { url } = task.files[0];
    expect(url.startsWith(`${ORIGIN}/downloads/`)).toBe(true);
    expect(await (await send(new Request(url))).text()).toBe('hello');
    const line = (await linesOf('get_task', { id, links: true })).find((each) => each.startsWith('File '));
    expect(line).toMatch(/^File \d+ \| plan\.txt \| text\/plain \| 5 bytes \| Lead Test \| .* \| https:/);
    for (let index = 0; index < 11; index += 1)
      await confirmUpload(lead, id, { s3Key: await presignAndUpload(lead, id) });
    const full = await call(token, 'get_task', { id });
    expect(full.structuredContent.task).toMatchObject({ filesTotal: 12 });
    expect(full.structuredContent.task.files).toHaveLength(10);
    expect(textOf(full)).toContain('10 of 12 files. To list all files, call again with part=files.');
  });
});

it('get_me returns the date, the time zone and the limits of the role', async () => {
  const { client, owner } = world.people;
  const today = new Date().toISOString().slice(0, 10);
  const lines = await linesOf('get_me', {}, await tokenOf(world, client));
  expect(lines[1]).toBe(`Today is ${today} | time zone UTC`);
  expect(lines[2]).toMatch(/^As client, you see only projects you are a member of; .*no workload; /);
  const all = await linesOf('get_me', {}, await tokenOf(world, owner));
  expect(all[2]).toBe('As owner, you see everything in the workspace.');
});

describe("arguments that a tool doesn't use", () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'find_meetings',
      { id: 1, project: 'Joined', from: '2026-01-01' },
      "project, from can't be combined with id",
    ],
    ['find_meetings', { id: 1, limit: 5 }, "limit can't be combined with id"],
    ['find_meetings', { textOffset: 5 }, "textOffset can't be combined with a list"],
    ['find_projects', { project: 'Joined', scope: 'mine' }, "scope can't be combined with project"],
    ['find_projects', { textOffset: 5 }, "textOffset can't be combined with a list"],
    ['find_people', { person: 'me', limit: 5 }, "limit can't be combined with person"],
    ['get_task', { id: 1, limit: 5 }, "limit can't be combined with a call without part"],
    ['get_task', { id: 1, part: 'files', textOffset: 5 }, "textOffset can't be combined with part files"],
  ])('are rejected by %s: %j', async (name, args, words) => {
    const result = await call(token, name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(words);
  });

  it("are rejected, so a query about one project never returns another project's meeting", async () => {
    const { id } = await createMeeting(world.people.owner, world.projects.other.id);
    const owners = await tokenOf(world, world.people.owner);
    expect((await use(owners, 'find_meetings', { id })).data[0].project.name).toBe('Other');
    expect((await call(owners, 'find_meetings', { id, project: 'Joined' })).isError).toBe(true);
  });
});
