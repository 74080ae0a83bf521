import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/kernel/errors/errors.ts';
import { formatWording } from '../../src/kernel/text/wording.ts';
import { buildToolWords } from '../../src/mcp/tool-words.ts';
import { restErrorWords, tools } from '../../src/registry.ts';
import { readSearchPage } from '../../src/search/index/search.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { createOAuthToken, getResultText, getToolResult } from './client.ts';

let world: World;
let token: string;
let task: number;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
  task = (await createTask(world.people.lead, world.projects.joined.id)).id;
});

const getRejection = async (name: string, args: Record<string, unknown>) => {
  const result = await getToolResult(token, name, args);
  expect(result.isError).toBe(true);
  return getResultText(result);
};
const findTool = (name: string) => {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`there is no tool ${name}`);
  return found;
};

describe('an error about an unknown field', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'get_dashboard',
      { view: 'stats', sort: 'due' },
      "unknown field 'sort'. Allowed: search, from, to, teamId, assignees, project, projectStatus, status",
    ],
    [
      'get_dashboard',
      { view: 'tasks', mode: 'daily' },
      "unknown field 'mode'. Allowed: search, from, to, teamId, assignees, project, projectStatus, status, sort, limit, cursor",
    ],
    [
      'get_dashboard',
      { view: 'comments', mode: 'daily' },
      "unknown field 'mode'. Allowed: search, from, to, teamId, assignees, project, projectStatus, limit, cursor",
    ],
    [
      'get_dashboard',
      { view: 'workload', search: 'x' },
      "unknown field 'search'. Allowed: from, to, teamId, assignees, project, projectStatus, mode",
    ],
    [
      'get_time',
      { view: 'entries', period: 'day' },
      "unknown field 'period'. Allowed: taskId, from, to, limit, cursor",
    ],
  ])('suggests only fields that the tool accepts (%s called with %j)', async (name, args, words) => {
    const text = await getRejection(name, args);
    expect(text).toBe(words);
    const allowed = text.split('Allowed: ')[1]?.split(', ') ?? [];
    for (const field of allowed) expect(field in findTool(name).input.shape, field).toBe(true);
  });
});

describe('an error about a field in a tool call', () => {
  it('names the field as the tool does, even if the operation rejects the value', async () => {
    const { owner } = world.people;
    const meeting = { project: 'Joined', name: 'M', date: '2027-01-04', time: '10:00' };
    expect(await getRejection('create_meeting', { ...meeting, participants: [owner.email] })).toBe(
      `participants must be members of project ${world.projects.joined.id}; got '${owner.userId}'. find_people (with project) lists the members.`,
    );
    for (const [name, list, item] of [
      ['create_task', 'tasks', { project: 'Joined', name: 'T' }],
      ['update_task', 'updates', { id: task }],
    ] as const) {
      expect(await getRejection(name, { [list]: [{ ...item, assignee: 'usr_nobody' }] })).toBe(
        `${list}[0].assignee 'usr_nobody' is not a member of this workspace. find_people lists the members.`,
      );
    }
  });

  it("contains an unknown field's name as it was sent, and suggests the tool's name for it", async () => {
    const tasks = [{ project: 'Joined', name: 'T', assigneeId: 'usr_1' }];
    expect(await getRejection('create_task', { tasks })).toContain(
      "unknown field 'tasks[0].assigneeId' (did you mean 'assignee'?). Allowed: name,",
    );
  });

  it("uses the tool's name for a field whose value exceeds a limit", async () => {
    const long = `usr_${'x'.repeat(120)}`;
    const meeting = { project: 'Joined', name: 'M', date: '2027-01-04', time: '10:00' };
    const crowd = Array.from({ length: 51 }, (_, index) => `usr_${index}`);
    expect(await getRejection('find_tasks', { assignee: long })).toBe(
      'assignee[0] must have at most 100 characters; got 124',
    );
    expect(await getRejection('create_meeting', { ...meeting, participants: ['me', long] })).toBe(
      'participants[1] must have at most 100 characters; got 124',
    );
    expect(await getRejection('create_meeting', { ...meeting, participants: crowd })).toBe(
      'participants must contain at most 50 people; got an array',
    );
  });

  it("uses the tool's name for a field whose text can't be stored", async () => {
    for (const [name, args, field] of [
      ['find_tasks', { assignee: 'Mira\0' }, 'assignee'],
      ['get_dashboard', { view: 'stats', assignees: ['Mira\0'] }, 'assignees[0]'],
      ['find_projects', { project: 'Site\0' }, 'project'],
    ] as const) {
      expect(await getRejection(name, args)).toBe(
        `${field} contains the character U+0000; send the text without it`,
      );
    }
  });
});

it("tool errors don't mention the Link header, which tools don't return", async () => {
  const range = { limit: 25, offset: 10_001, after: null, skipped: 10_001 };
  const search = { parts: [], range, tally: throwUnasked, rows: throwUnasked, compare: () => 0 };
  const error = await readSearchPage(undefined as never, search).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw error;
  const begin = 'offset must be at most 10000 for a search with this many matches; got 10001.';
  expect(formatWording(error.wording, restErrorWords)).toBe(
    `${begin} Follow the Link header of the previous page, or use a longer search text.`,
  );
  const words = buildToolWords(tools, findTool('find_tasks'));
  expect(formatWording(error.wording, words)).toBe(`${begin} Use a longer search text.`);
});

function throwUnasked(): never {
  throw new Error('nothing is asked of the database');
}
