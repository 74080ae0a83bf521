import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/registry.ts';
import { meteredEnv } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import {
  buildFramedRequest,
  createOAuthToken,
  getResultText,
  getToolResult,
  post,
  sendRequest,
} from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld({ plan: 'free' });
  token = await createOAuthToken(world, world.people.member);
});

describe('a tool result that is an error', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'an unknown field',
      'find_tasks',
      { assigne: 'me' },
      "unknown field 'assigne' (did you mean 'assignee'?)",
    ],
    ['a wrong value', 'find_tasks', { status: ['doing'] }, 'status[0] must be one of todo, in_progress'],
    ['a missing field', 'create_task', { tasks: [{ project: 1 }] }, 'tasks[0].name is required'],
    ['a limit that is too large', 'find_tasks', { limit: 101 }, 'limit must be at most 100'],
    ['a date that does not exist', 'find_meetings', { from: '2026-02-30' }, 'must be a real date'],
    ['a task that is not visible', 'get_task', { id: 999_999_999 }, 'Use find_tasks to find valid ids.'],
    ['a filter of another view', 'get_dashboard', { view: 'workload', sort: 'due' }, "unknown field 'sort'"],
    ['a filter of another view', 'get_time', { view: 'current', period: 'day' }, "unknown field 'period'"],
    ['neither of two alternatives', 'mark_notifications_read', {}, 'Send either id or all'],
    ['both of two alternatives', 'find_people', { person: 'me', project: 1 }, 'not both'],
    ['an empty change', 'update_meeting', { id: 1 }, 'Send at least one'],
    [
      'an argument for another kind',
      'list_reference',
      { kind: 'teams', categoryId: 1 },
      'requires kind task_types',
    ],
  ])('explains %s and suggests what to do (%s)', async (_what, name, args, words) => {
    const result = await getToolResult(token, name, args);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(getResultText(result)).toContain(words);
    expect(getResultText(result)).not.toContain('/v1/');
  });

  it('explains which rule of the operation was broken', async () => {
    const { lead, client } = world.people;
    const meeting = { project: 'Joined', name: 'M', date: '2027-01-04', time: '10:00', participants: ['me'] };
    const getErrorText = async (as: string, name: string, args: object) => {
      const result = await getToolResult(as, name, { ...args });
      expect(result.isError).toBe(true);
      return getResultText(result);
    };
    const leads = await createOAuthToken(world, lead);
    const clients = await createOAuthToken(world, client);
    expect(await getErrorText(token, 'create_meeting', { ...meeting, recurrence: 'FREQ=DAILY' })).toMatch(
      /role|lead/,
    );
    expect(await getErrorText(leads, 'create_meeting', { ...meeting, recurrence: 'FREQ=DAILY' })).toMatch(
      /plan/,
    );
    expect(await getErrorText(leads, 'create_meeting', { ...meeting, project: 'Other' })).toMatch(/member/);
    expect(
      await getErrorText(leads, 'create_meeting', { ...meeting, participants: [world.people.owner.email] }),
    ).toMatch(/member/);
    const { id } = await createTask(lead, world.projects.other.id);
    expect(await getErrorText(clients, 'get_task', { id })).toContain('is visible');
    await getToolResult(leads, 'set_task_archived', { ids: [id], isArchived: true });
    expect(await getErrorText(leads, 'update_task', { updates: [{ id, name: 'New' }] })).toContain(
      'set_task_archived',
    );
  });

  it('contains the request id but no details if the error is internal', async () => {
    const { body, headers } = buildFramedRequest('modern', 'tools/call', {
      name: 'find_tasks',
      arguments: {},
    });
    const { CELL_0 } = meteredEnv;
    const failing = new Proxy(CELL_0, {
      get(target, key) {
        if (key === 'batch') return () => Promise.reject(new Error('D1_ERROR: secret table users'));
        const value = Reflect.get(target, key) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await getToolResult(token, 'find_tasks');
    const response = await post(token, body, { headers, variables: { CELL_0: failing } });
    const text = await response.text();
    expect(text).not.toContain('secret');
    expect(text).not.toContain('D1_ERROR');
    expect(text).toContain(response.headers.get('X-Request-Id'));
  });
});

it('an unknown tool returns a protocol error that lists the existing tools', async () => {
  for (const era of ['modern', 'legacy'] as const) {
    const { error } = await (await sendRequest(era, token, 'tools/call', { name: 'drop_tables' })).json<{
      error: { code: number; message: string };
    }>();
    expect(error.code).toBe(-32_602);
    for (const { name } of tools) expect(error.message).toContain(name);
  }
});
