import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';

describe('blockers in MCP tools', () => {
  let world: World;
  let token: string;

  beforeAll(async () => {
    world = await createWorld();
    token = await createOAuthToken(world, world.people.owner);
  });

  const createTask = async (fields: object) => {
    const { results } = await callTool(token, 'create_task', {
      tasks: [{ project: world.projects.joined.id, ...fields }],
    });
    return results[0].task.id as number;
  };
  const listBlockers = async (id: number) =>
    (await api(world.people.owner.token).get(`/tasks/${id}/relations`)).body.data.map(
      ({ type, task }: { type: string; task: { id: number } }) => [type, task.id],
    );

  it('can be set, shown and used as filters', async () => {
    const first = await createTask({ name: 'Approve' });
    const second = await createTask({ name: 'Print' });
    const blocked = await createTask({ name: 'Ship', blockedBy: [first, second] });
    expect(await listBlockers(blocked)).toEqual([
      ['blocked_by', first],
      ['blocked_by', second],
    ]);
    const findByBlocked = async (isBlocked: boolean) => {
      const { data } = await callTool(token, 'find_tasks', { isBlocked, project: world.projects.joined.id });
      return data.map(({ id }: { id: number }) => id);
    };
    expect(await findByBlocked(true)).toEqual([blocked]);
    expect(await findByBlocked(false)).toEqual([second, first]);
    const text = getResultText(await getToolResult(token, 'get_task', { id: blocked }));
    expect(text).toContain('blocked');
    expect(text).toContain(`blocked_by #${first} Approve`);
    expect(getResultText(await getToolResult(token, 'get_task', { id: first }))).toContain(
      `blocks #${blocked} Ship`,
    );
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('can be replaced together with other fields', async () => {
    const [first, second] = [await createTask({ name: 'One' }), await createTask({ name: 'Two' })];
    const task = await createTask({ name: 'Three', blockedBy: [first] });
    await callTool(token, 'update_task', { updates: [{ id: task, blockedBy: [second], priority: 'high' }] });
    expect(await listBlockers(task)).toEqual([['blocked_by', second]]);
    const { body } = await api(world.people.owner.token).get(`/tasks/${task}`);
    expect(body.priority).toBe('high');
    const history = (await api(world.people.owner.token).get(`/tasks/${task}/activities`)).body.data;
    expect(history.filter(({ type }: { type: string }) => type === 'relations_changed')).toMatchObject([
      { from: null, to: null, via: 'mcp' },
      { from: null, to: `blocked_by ${first}`, via: 'mcp' },
    ]);
    await callTool(token, 'update_task', { updates: [{ id: task, blockedBy: [] }] });
    expect(await listBlockers(task)).toEqual([]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('are rejected without any change if they are unknown or form a cycle', async () => {
    const first = await createTask({ name: 'Start' });
    const second = await createTask({ name: 'Middle', blockedBy: [first] });
    const third = await createTask({ name: 'End', blockedBy: [second] });
    for (const blockedBy of [[third], [first], [999_999]]) {
      const rejected = await getToolResult(token, 'update_task', {
        updates: [{ id: first, blockedBy, priority: 'high' }],
      });
      expect(rejected.isError).toBe(true);
    }
    const loop = await getToolResult(token, 'update_task', {
      updates: [
        { id: first, blockedBy: [] },
        { id: second, blockedBy: [third] },
      ],
    });
    expect(getResultText(loop)).toContain('cycle');
    const { body } = await api(world.people.owner.token).get(`/tasks/${first}`);
    expect(body.priority).toBe('medium');
    expect(await listBlockers(second)).toEqual([
      ['blocked_by', first],
      ['blocks', third],
    ]);
    const countOrphans = async () => (await callTool(token, 'find_tasks', { search: 'Orphan' })).data.length;
    const orphan = { project: world.projects.joined.id, name: 'Orphan', blockedBy: [999_999] };
    expect((await getToolResult(token, 'create_task', { tasks: [orphan] })).isError).toBe(true);
    expect(await countOrphans()).toBe(0);
  });
});
