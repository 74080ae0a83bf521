import { beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../../src/kernel/access/access.ts';
import { tools } from '../../src/registry.ts';
import { api } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, eras, getResultText, getToolResult, sendRequest } from './client.ts';

const countBytes = (text: string) => new TextEncoder().encode(text).length;
let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

describe('tools/list', () => {
  it.each(eras)('lists 23 tools in at most 18 KB, always in the same order (%s)', async (era) => {
    const text = await (await sendRequest(era, token, 'tools/list')).text();
    expect(countBytes(text)).toBeLessThanOrEqual(18_000);
    const { result } = JSON.parse(text);
    expect(result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'get_me',
      'find_tasks',
      'get_task',
      'list_changes',
      'find_projects',
      'find_people',
      'list_reference',
      'find_meetings',
      'get_dashboard',
      'get_time',
      'list_notifications',
      'create_task',
      'update_task',
      'set_task_archived',
      'add_comment',
      'create_meeting',
      'update_meeting',
      'cancel_meeting',
      'set_timer',
      'mark_notifications_read',
      'begin_changes',
      'propose_changes',
      'discard_changes',
    ]);
    for (const tool of result.tools) {
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema, tool.name).toEqual(
        tool.name === 'find_tasks'
          ? expect.objectContaining({ type: 'object', additionalProperties: false })
          : undefined,
      );
      expect(Object.keys(tool.annotations), tool.name).toEqual(
        tool.annotations.readOnlyHint
          ? ['readOnlyHint', 'openWorldHint']
          : ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
      );
      expect(tool.annotations.openWorldHint).toBe(false);
    }
  });

  it('can be cached publicly', async () => {
    const { result } = await (await sendRequest('modern', token, 'tools/list')).json<{ result: object }>();
    expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public', resultType: 'complete' });
  });

  it('marks exactly the tools with a read-only scope as read-only', () => {
    for (const { name, access, hints } of tools) {
      expect(hints.readOnlyHint, name).toBe(access.endsWith(':read'));
      if (hints.readOnlyHint)
        expect(hints, name).toMatchObject({ destructiveHint: false, idempotentHint: true });
    }
    const asked = scopes.filter((scope) => scope !== 'webhooks:write' && scope !== 'audit:read');
    expect(new Set(tools.map(({ access }) => access))).toEqual(new Set(asked));
  });
});

describe('a tool result', () => {
  it('of find_tasks contains 25 tasks in at most 7 KB', async () => {
    const names = ['Draft the launch page', 'Collect quotes from three printers', 'Fix the newsletter form'];
    for (let index = 0; index < 26; index += 1) {
      await createTask(world.people.lead, world.projects.joined.id, {
        name: `${names[index % 3]} ${index}`,
        status: 'in_progress',
        assigneeId: world.people.member.userId,
        deadline: '2026-12-24',
      });
    }
    const text = await (
      await sendRequest('modern', token, 'tools/call', { name: 'find_tasks', arguments: {} })
    ).text();
    expect(countBytes(text)).toBeLessThanOrEqual(7_000);
    const result = await getToolResult(token, 'find_tasks');
    expect(result.structuredContent.data).toHaveLength(25);
    expect(getResultText(result)).toContain(
      `25 of 26. More: call again with cursor=${result.structuredContent.nextCursor}`,
    );
    const last = await getToolResult(token, 'find_tasks', { cursor: result.structuredContent.nextCursor });
    expect(last.structuredContent).toMatchObject({ total: 26, nextCursor: null });
    expect(getResultText(last)).toContain('1 of 26; this is the last page.');
  });

  it('is shortened if it exceeds 25 KB, and a note explains how to continue', async () => {
    const big = await createWorld();
    const owner = await createOAuthToken(big, big.people.owner);
    for (let index = 0; index < 60; index += 1) {
      await createTask(big.people.owner, big.projects.other.id, { name: `${index} ${'ü'.repeat(480)}` });
    }
    const seen: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const result = await getToolResult(owner, 'find_tasks', { limit: 100, cursor });
      const { data, total, nextCursor } = result.structuredContent;
      expect(total).toBe(60);
      expect(data.length).toBeGreaterThan(0);
      seen.push(...data.map((task: { id: number }) => task.id));
      expect(nextCursor === null).toBe(seen.length === 60);
      if (nextCursor !== null) expect(getResultText(result)).toContain(`cursor=${nextCursor}`);
      cursor = nextCursor;
    }
    const { body } = await api(big.people.owner.token).get('/tasks?limit=100&scope=all');
    expect(seen).toEqual(body.data.map((task: { id: number }) => task.id));
  });

  it("is shortened if a task's description is long, and calls with textOffset return the rest", async () => {
    const description = Array.from({ length: 9_000 }, (_, index) => `word${index}`).join(' ');
    const { id } = await createTask(world.people.lead, world.projects.joined.id, { description });
    let shown = '';
    for (let textOffset = 0; ; ) {
      const result = await getToolResult(token, 'get_task', { id, textOffset });
      const part: string = result.structuredContent.task.description;
      const next = /textOffset=(\d+)/.exec(getResultText(result))?.[1];
      shown += next === undefined ? part : part.slice(0, -1);
      expect(part.endsWith('…')).toBe(next !== undefined);
      if (next === undefined) break;
      textOffset = Number(next);
    }
    expect(shown).toBe(description);
  });

  it('is shortened to 25 KB if a task has twelve comments of maximum length, and part=comments returns them all', async () => {
    const { id } = await createTask(world.people.lead, world.projects.joined.id);
    // A comment can have up to 20,000 characters, and each 漢 takes three bytes.
    for (let index = 0; index < 12; index += 1) {
      await api(world.people.lead.token).post(`/tasks/${id}/comments`, {
        content: `${index}${'漢'.repeat(19_998)}`,
      });
    }
    const last = await getToolResult(token, 'get_task', { id });
    expect(last.structuredContent.task.comments).toHaveLength(10);
    expect(getResultText(last)).toContain('call again with part=comments');
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part = await getToolResult(token, 'get_task', { id, part: 'comments', cursor });
      const { data, total, nextCursor } = part.structuredContent;
      expect(total).toBe(12);
      seen.push(...data.map(({ content }: { content: string }) => /^\d+/.exec(content)?.[0]));
      cursor = nextCursor;
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => String(index)));
  });

  it('has one line per item, even if a name has line breaks', async () => {
    const { id } = await createTask(world.people.lead, world.projects.joined.id, {
      name: 'One\nTwo\u2028Three',
    });
    const line = getResultText(await getToolResult(token, 'find_tasks', { limit: 1 })).split('\n')[0];
    expect(line).toContain(`#${id} One Two Three`);
    expect((await callTool(token, 'get_task', { id })).task.name).toBe('One\nTwo\u2028Three');
  });
});
