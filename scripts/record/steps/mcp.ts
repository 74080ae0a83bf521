// The agent endpoint: both revisions of the protocol, every tool with good and bad arguments, refused envelopes.
import type { Actor, Reply } from '../recorder.ts';
import type { Tokens } from './oauth.ts';
import type { People } from './people.ts';

const REVISION = '2025-11-25';
const NEWEST = '2026-07-28';

/** The owner leads it, and belongs to it. */
const MEETING_PROJECT = 'Studio operations';

type Arguments = Record<string, unknown>;

export async function recordMcp({ full, narrow }: Tokens, people: People): Promise<unknown> {
  await recordRefusedEnvelopes(full, people);
  const listed = await ask(full, 'tools/list', {});
  await recordNewestRevision(full);
  await recordReadingTools(full);
  await recordWritingTools(full);
  await tool(narrow, 'find_tasks', { limit: 2 });
  await tool(narrow, 'create_task', { tasks: [{ project: 'none', name: 'No scope' }] });
  await tool(narrow, 'find_tasks', { project: 'Harbour Coffee rebrand' });
  return listed.read<unknown>('result');
}

function ask(actor: Actor, method: string, params: unknown, headers = {}): Promise<Reply> {
  return actor.call(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method, params },
    {
      headers: {
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': REVISION,
        ...headers,
      },
    },
  );
}

function tool(actor: Actor, name: string, args: Arguments): Promise<Reply> {
  return ask(actor, 'tools/call', { name, arguments: args });
}

async function recordRefusedEnvelopes(full: Actor, { nobody, key, owner }: People) {
  for (const actor of [nobody, key, owner]) await ask(actor, 'tools/list', {});
  await full.call('GET', '/mcp');
  await ask(full, 'tools/list', {}, { Origin: 'https://example.com' });
  await ask(full, 'tools/list', {}, { 'MCP-Protocol-Version': '1999-01-01' });
  await ask(full, 'tools/uninstall', {});
  await full.call('POST', '/mcp', undefined, { raw: '{', headers: { 'Content-Type': 'application/json' } });
  await full.call('POST', '/mcp', { hello: 'world' });
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  await full.call('POST', '/mcp', [message, message]);
  await full.call('POST', '/mcp', [message, { ...message, id: 2, method: 'tools/list' }]);
  await ask(full, 'initialize', {
    protocolVersion: REVISION,
    capabilities: {},
    clientInfo: { name: 'recorder', version: '1' },
  });
}

async function recordNewestRevision(full: Actor) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientInfo': { name: 'recorder', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const newest = (method: string, params: object, headers = {}) =>
    ask(
      full,
      method,
      { ...params, _meta },
      { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': method, ...headers },
    );
  await newest('server/discover', {});
  await newest('tools/list', {});
  await newest('tools/call', { name: 'get_me', arguments: {} }, { 'Mcp-Name': 'get_me' });
  await newest('tools/call', { name: 'get_me', arguments: {} }, { 'Mcp-Name': 'get_time' });
}

async function recordReadingTools(full: Actor) {
  const calls: [string, Arguments[]][] = [
    ['get_me', [{}, { verbose: true }]],
    [
      'find_tasks',
      [
        { limit: 3 },
        { assignee: 'me', status: ['in_progress'], limit: 2 },
        { project: 'Harbour Coffee rebrand', search: 'menu' },
        { project: 'No such project' },
        { assignee: 'nobody@example.com' },
        { status: ['done'] },
        { localDate: '2040-01-01' },
        { limit: 1000 },
      ],
    ],
    ['get_task', [{ id: 5 }, { id: 999_999 }, { id: 'five' }, { id: 5, part: 'comments' }]],
    [
      'get_task',
      [
        { id: 5, part: 'history', limit: 1 },
        { id: 999_999, part: 'history' },
      ],
    ],
    [
      'find_projects',
      [
        { limit: 2 },
        { project: 'Harbour Coffee rebrand' },
        { project: 1 },
        { project: '' },
        { scope: 'theirs' },
      ],
    ],
    [
      'find_people',
      [{}, { person: 'lead@demo.test' }, { project: 1 }, { person: 'Nobody' }, { person: 'me', project: 1 }],
    ],
    [
      'list_reference',
      [
        { kind: 'task_statuses' },
        { kind: 'task_types', categoryId: 1 },
        { kind: 'teams' },
        { kind: 'task_categories', categoryId: 1 },
        { kind: 'colours' },
      ],
    ],
    ['find_meetings', [{}, { id: 1 }, { id: 999_999 }, { from: '2026-02-30' }, { order: 'up' }]],
    [
      'get_dashboard',
      [
        { view: 'stats' },
        { view: 'tasks', limit: 2 },
        { view: 'workload', assignees: ['me'] },
        { view: 'stats', limit: 2 },
        { view: 'tasks', sort: 'size' },
        { view: 'everything' },
      ],
    ],
    [
      'get_time',
      [
        { view: 'current' },
        { view: 'entries', limit: 1, from: '2040-01-01' },
        { view: 'current', taskId: 5 },
        {},
      ],
    ],
    ['list_notifications', [{ unreadOnly: true, limit: 1 }, { limit: 0 }]],
    ['list_changes', [{ since: '2026-03-02', kinds: ['comments'] }, { since: 'yesterday' }]],
  ];
  for (const [name, all] of calls) for (const args of all) await tool(full, name, args);
  await tool(full, 'no_such_tool', {});
}

async function recordWritingTools(full: Actor) {
  const project = 'Harbour Coffee rebrand';
  const tasks = [{ project, name: 'By an agent', assignee: 'me' }];
  const made = await tool(full, 'create_task', { tasks });
  const id = made.read<number>('result.structuredContent.results.0.task.id');
  await tool(full, 'create_task', { tasks: [{ project, name: '' }] });
  await tool(full, 'create_task', { tasks: [{ project, name: 'A', assigneeId: 'usr_x' }] });
  const update = { id, status: 'in_progress', description: '<b>x</b>', assignee: 'lead@demo.test' };
  await tool(full, 'update_task', { updates: [update], dryRun: true });
  await tool(full, 'update_task', { updates: [update] });
  await tool(full, 'update_task', { updates: [{ id, assignee: 'Nobody' }] });
  await tool(full, 'update_task', { updates: [{ id, deadline: 'soon' }] });
  await tool(full, 'add_comment', { taskId: id, content: 'Said by an agent' });
  await tool(full, 'add_comment', { taskId: id, content: '' });
  await tool(full, 'get_task', { id });
  await tool(full, 'get_task', { id, part: 'history' });
  await tool(full, 'set_timer', { action: 'start', taskId: id });
  await tool(full, 'set_timer', { action: 'stop' });
  await tool(full, 'set_timer', { action: 'pause' });
  await tool(full, 'set_task_archived', { ids: [id], isArchived: true });
  await tool(full, 'update_task', { updates: [{ id, name: 'Too late' }] });
  await tool(full, 'set_task_archived', { ids: [999_999], isArchived: true });
  const meeting = {
    project: MEETING_PROJECT,
    name: 'Agents meet',
    date: '2040-06-04',
    time: '10:00',
    participants: ['me'],
  };
  const planned = await tool(full, 'create_meeting', meeting);
  const meetingId = planned.read<number>('result.structuredContent.meeting.id');
  await tool(full, 'create_meeting', { ...meeting, time: 'noon' });
  await tool(full, 'update_meeting', { id: meetingId, time: '11:00', location: 'Room 1' });
  await tool(full, 'update_meeting', { id: meetingId, date: '2040-02-31' });
  await tool(full, 'cancel_meeting', { id: meetingId });
  await tool(full, 'cancel_meeting', { id: meetingId });
  await tool(full, 'mark_notifications_read', { all: true });
  await tool(full, 'mark_notifications_read', {});
}
