import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/registry.ts';
import { meteredEnv } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { ask, buildFramedRequest, call, post, textOf, tokenOf } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld({ plan: 'free' });
  token = await tokenOf(world, world.people.member);
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
    ['a limit too large', 'find_tasks', { limit: 101 }, 'limit must be at most 100'],
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
    const result = await call(token, name, args);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain(words);
    expect(textOf(result)).not.toContain('/v1/');
  });

  it('explains which rule of the operation was broken', async () => {
    const { lead, client } = world.people;
    const meeting = { project: 'Joined', name: 'M', date: '2027-01-04', time: '10:00', participants: ['me'] };
    const text = async (as: string, name: string, args: object) => {
      const result = await call(as, name, { ...args });
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    const leads = await tokenOf(world, lead);
    const clients = await tokenOf(world, client);
    expect(await text(token, 'create_meeting', { ...meeting, recurrence: 'FREQ=DAILY' })).toMatch(
      /role|lead/,
    );
    expect(await text(leads, 'create_meeting', { ...meeting, recurrence: 'FREQ=DAILY' })).toMatch(/plan/);
    expect(await text(leads, 'create_meeting', { ...meeting, project: 'Other' })).toMatch(/member/);
    expect(
      await text(leads, 'create_meeting', { ...meeting, participants: [world.people.owner.email] }),
    ).toMatch(/member/);
    const { id } = await createTask(lead, world.projects.other.id);
    expect(await text(clients, 'get_task', { id })).toContain('is visible');
    await call(leads, 'set_task_archived', { ids: [id], isArchived: true });
    expect(await text(leads, 'update_task', { updates: [{ id, name: 'New' }] })).toContain(
      'set_task_archived',
    );
  });

  it('returns only the request id for an internal error', async () => {
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
    await call(token, 'find_tasks');
    const response = await post(token, body, { headers, variables: { CELL_0: failing } });
    const text = await response.text();
    expect(text).not.toContain('secret');
    expect(text).not.toContain('D1_ERROR');
    expect(text).toContain(response.headers.get('X-Request-Id'));
  });
});

it('an unknown tool returns a protocol error that lists the existing tools', async () => {
  for (const era of ['modern', 'legacy'] as const) {
    const { error } = await (await ask(era, token, 'tools/call', { name: 'drop_tables' })).json<{
      error: { code: number; message: string };
    }>();
    expect(error.code).toBe(-32_602);
    for (const { name } of tools) expect(error.message).toContain(name);
  }
});
