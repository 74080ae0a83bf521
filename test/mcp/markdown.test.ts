import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

const markdown = '**Hero**, with [a link](<https://example.com>).\n\n- one\n- two';
const html =
  /<strong>Hero<\/strong>, with <a href="https:\/\/example\.com"[^>]*>a link<\/a>[\s\S]*<ul>\s*<li>one<\/li>/;

describe('a description in a tool', () => {
  it('is Markdown in calls and results, and is stored as HTML', async () => {
    const { results } = await callTool(token, 'create_task', {
      tasks: [{ project: 'Joined', name: 'Described', description: markdown }],
    });
    const { id } = results[0].task;
    const readStored = async () => (await api(token).get(`/tasks/${id}`)).body;
    expect((await readStored()).description).toMatch(html);
    const read = await getToolResult(token, 'get_task', { id });
    expect(read.structuredContent.task.description).toBe(markdown);
    expect(getResultText(read)).toContain('> **Hero**, with [a link](<https://example.com>).');
    const description = '# Copy\n\nOpen at nine.';
    await callTool(token, 'update_task', { updates: [{ id, description }] });
    expect((await readStored()).description).toMatch(/<h1>Copy<\/h1>\s*<p>Open at nine\.<\/p>/);
    expect((await callTool(token, 'get_task', { id })).task.description).toBe(description);
  });

  it('keeps its formatting if it is sent back unchanged', async () => {
    const { body } = await api(token).post('/tasks', {
      projectId: world.projects.joined.id,
      name: 'Made in the editor',
      description: '<p>One <u>underlined</u> word</p><ol><li>first</li></ol>',
    });
    const { id } = body;
    const { task } = await callTool(token, 'get_task', { id });
    await callTool(token, 'update_task', { updates: [{ id, description: task.description }] });
    const { description } = (await api(token).get(`/tasks/${id}`)).body;
    expect(description.replaceAll('\n', '')).toBe('<p>One <u>underlined</u> word</p><ol><li>first</li></ol>');
    expect((await callTool(token, 'get_task', { id })).task.description).toBe(task.description);
  });

  it('is also Markdown if it belongs to a meeting', async () => {
    const { meeting } = await callTool(token, 'create_meeting', {
      project: 'Joined',
      name: 'Review',
      date: '2027-03-01',
      time: '10:00',
      participants: ['me'],
      description: markdown,
    });
    const { body } = await api(token).get(`/meetings/${meeting.id}`);
    expect(body.description).toMatch(html);
    const { data } = await callTool(token, 'find_meetings', { id: meeting.id });
    expect(data[0].description).toBe(markdown);
  });
});
