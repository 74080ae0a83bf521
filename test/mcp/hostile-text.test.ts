import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/registry.ts';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { lineBreaks, textsForAgents } from '../support/hostile-texts.ts';
import { createMeeting, createTask, createTeam, createWorld, type World } from '../support/world.ts';
import {
  buildMessage,
  createOAuthToken,
  getResultText,
  getToolResult,
  post,
  type ToolResult,
} from './client.ts';

let world: World;
let token: string;
let ids: { task: number; meeting: number; team: number; file: number; comment: number };

beforeAll(async () => {
  world = await createWorld();
  const { lead, member } = world.people;
  const { joined } = world.projects;
  token = await createOAuthToken(world, lead);
  const { id: task } = await createTask(lead, joined.id, {
    assigneeId: member.userId,
    deadline: '2026-12-24',
    description: '<p>x</p>',
  });
  const { id: meeting } = await createMeeting(lead, joined.id, { description: '<p>x</p>', location: 'x' });
  const team = await createTeam(world, { lead, members: [member] });
  const comment = await api(member.token).post(`/tasks/${task}/comments`, { content: 'x' });
  const s3Key = await presignAndUpload(member, task);
  const file = await confirmUpload(member, task, { s3Key });
  await api(lead.token).post('/timer/start', { taskId: task });
  await api(member.token).patch(`/tasks/${task}`, { name: 'Renamed' });
  ids = { task, meeting, team, file: file.body.id, comment: comment.body.id };
});

/** Writes the text into names, descriptions and other fields that people fill in, bypassing the API's checks. */
async function writeEverywhere(text: string) {
  const { joined } = world.projects;
  const db = getCell(world.cell);
  const set = (table: string, columns: string, where: string, id: number) =>
    db.prepare(`UPDATE ${table} SET ${columns.replaceAll('?', '?1')} WHERE ${where} = ?2`).bind(text, id);
  await db.batch([
    set('tasks', 'name = ?, description = ?, tags = json_array(substr(?, 1, 30))', 'id', ids.task),
    set('comments', 'content = ?', 'id', ids.comment),
    set('projects', 'name = ?, description = ?', 'id', joined.id),
    set('members', 'name = ?, version = version + 1', 'no', world.people.member.member),
    set('members', 'name = ?, version = version + 1', 'no', world.people.lead.member),
    set('workspaces', 'name = ?, version = version + 1', 'no', world.no),
    set('meetings', 'name = ?, description = ?, location = ?', 'id', ids.meeting),
    set('teams', 'name = ?', 'id', ids.team),
    set('attachments', 'file_name = ?', 'id', ids.file),
    set('task_categories', 'value = ?', 'id', Number(world.categories[0].id)),
    set('task_types', 'value = ?', 'id', Number(world.categories[0].typeId)),
  ]);
}

function listCalls(): [string, object][] {
  const { task, meeting } = ids;
  return [
    ['get_me', {}],
    ['find_tasks', {}],
    ['get_task', { id: task }],
    ['get_task', { id: task, part: 'comments' }],
    ['get_task', { id: task, part: 'history' }],
    ['get_task', { id: task, part: 'files', links: true }],
    ['list_changes', { since: '2026-01-01', kinds: ['task', 'comment', 'attachment'] }],
    ['find_projects', {}],
    ['find_projects', { project: world.projects.joined.id }],
    ['find_people', {}],
    ['list_reference', { kind: 'teams' }],
    ['list_reference', { kind: 'task_types' }],
    ['list_reference', { kind: 'task_categories' }],
    ['find_meetings', {}],
    ['find_meetings', { id: meeting }],
    ['get_dashboard', { view: 'tasks' }],
    ['get_dashboard', { view: 'comments' }],
    ['get_dashboard', { view: 'workload' }],
    ['get_time', { view: 'current' }],
    ['get_time', { view: 'entries' }],
    ['list_notifications', {}],
  ];
}

/** All calls of a request share the limit of 50 statements, so each request contains only this many calls. */
const CALLS_PER_REQUEST = 3;

async function readTexts(): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const wanted = listCalls().map(([name, args]) => [name, args] as const);
  while (wanted.length > 0) {
    const some = wanted.splice(0, CALLS_PER_REQUEST);
    const batch = some.map(([name, args], id) => buildMessage('tools/call', { name, arguments: args }, id));
    const answers = await (await post(token, batch)).json<{ id: number; result: ToolResult }[]>();
    for (const { id, result } of answers) {
      const call = JSON.stringify(some[id]);
      expect(result.isError, `${call} ${getResultText(result)}`).toBeUndefined();
      found.push([call, getResultText(result)]);
    }
  }
  return found;
}

/** Reduces each line that isn't quoted to its first word and its number of columns, and sorts the results. */
function toSkeleton(text: string): string[] {
  const lines = text.split(new RegExp(`\r\n|[${lineBreaks.join('')}]`));
  return lines
    .filter((each) => !each.startsWith('> '))
    .map((each) => `${each.split(' ')[0]} × ${each.split(' | ').length}`)
    .sort();
}

const UNSAFE_CHARACTER = /[^\P{Cc}\n]|\p{Bidi_Control}/u;

describe('user-written text', () => {
  it(`can't imitate the output of a read-only tool (${textsForAgents.length} hostile samples)`, async () => {
    expect(textsForAgents.length).toBeGreaterThanOrEqual(60);
    expect(new Set(textsForAgents).size).toBe(textsForAgents.length);
    await writeEverywhere('Plain');
    const plain = new Map((await readTexts()).map(([name, text]) => [name, toSkeleton(text)]));
    for (const [name, lines] of plain) expect(lines.length, name).toBeGreaterThan(0);
    for (const payload of textsForAgents) {
      await writeEverywhere(payload);
      for (const [name, text] of await readTexts()) {
        const shown = `${name} with ${JSON.stringify(payload.slice(0, 60))}`;
        expect(toSkeleton(text), shown).toEqual(plain.get(name));
        expect(UNSAFE_CHARACTER.test(text), shown).toBe(false);
      }
    }
  });

  it("can't imitate the output of a tool that writes, or the candidates for an ambiguous name", async () => {
    for (const payload of textsForAgents) {
      await writeEverywhere(payload);
      const { task } = ids;
      const written = await getToolResult(token, 'update_task', { updates: [{ id: task, priority: 'low' }] });
      expect(getResultText(written).split('\n')[0]).toMatch(new RegExp(`^Now #${task} `));
      expect(getResultText(written).split('\n')).toHaveLength(1);
      const teams = await getToolResult(token, 'find_tasks', { team: 'no such team' });
      const [problem, ...candidates] = getResultText(teams).split('\n');
      expect(problem).toMatch(/^No team is named 'no such team'\. .*:$/);
      for (const each of candidates) expect(each, JSON.stringify(payload)).toMatch(/^- \d+ \| /);
      const meeting = await getToolResult(token, 'update_meeting', {
        id: ids.meeting,
        location: `Room ${Math.random()}`,
      });
      expect(getResultText(meeting).split('\n')).toEqual([
        expect.stringMatching(/^Now \d+ /),
        expect.stringMatching(/^No one was notified\.$|^Notified /),
      ]);
      const name = payload.trim();
      if (name === '') continue;
      const asked = await getToolResult(token, 'find_tasks', { assignee: name.slice(0, 254) });
      const [, ...lines] = getResultText(asked).split('\n');
      for (const each of lines)
        expect(each, JSON.stringify(payload)).toMatch(/^- usr_\w+ \| |^and \d+ more$|^> /);
    }
  });
});

it('every read-only tool is covered by these tests', () => {
  const tried = new Set(listCalls().map(([name]) => name));
  const others = tools.filter(({ name, hints }) => hints.readOnlyHint && !tried.has(name));
  expect(others.map(({ name }) => name)).toEqual([]);
});
