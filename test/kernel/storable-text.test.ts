import { describe, expect, it } from 'vitest';
import { api, send } from '../support/api.ts';
import { freshAddress } from '../support/people.ts';
import { createTask, createWorld } from '../support/world.ts';

const NUL = '\u0000';

describe('U+0000 and half a character', () => {
  it.each([
    ['U+0000', NUL],
    ['surrogate', '\ud800'],
  ])('%s is refused in every text, with the name of its field', async (word, character) => {
    const { people, projects } = await createWorld();
    const { id } = await createTask(people.member, projects.joined.id);
    const text = `a${character}b`;
    const me = api(people.lead.token);
    const task = { projectId: projects.joined.id, name: 'x' };
    const calls: [string, string, string, Record<string, unknown>][] = [
      ['POST', '/tasks', 'name', { ...task, name: text }],
      ['POST', '/tasks', 'description', { ...task, description: `<p>${text}</p>` }],
      ['PATCH', `/tasks/${id}`, 'name', { name: character }],
      ['POST', `/tasks/${id}/comments`, 'content', { content: text }],
      ['POST', '/meetings', 'location', meeting({ location: text })],
      ['POST', '/meetings', 'description', meeting({ description: text })],
      ['POST', '/timer/start', 'description', { taskId: id, description: text }],
      ['POST', '/connected-apps/api-keys', 'name', { name: text }],
      ['POST', '/auth/register', 'name', { email: freshAddress(), password: 'correct horse', name: text }],
      [
        'POST',
        '/auth/register',
        'password',
        { email: freshAddress(), password: `horses ${text}`, name: 'Ada' },
      ],
      ['POST', '/auth/login', 'password', { email: freshAddress(), password: text }],
    ];
    for (const [method, path, field, body] of calls) {
      // An unpaired surrogate travels as an escape, which is the only way to send it.
      const answer =
        method === 'POST' ? await me.post(path, JSON.stringify(body)) : await me.patch(path, body);
      expect([answer.status, answer.body.error.code], path).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message, path).toContain(field);
      if (!/control|unknown field/.test(answer.body.error.message))
        expect(answer.body.error.message, path).toContain(word);
    }

    function meeting(fields: Record<string, string>) {
      return {
        projectId: projects.joined.id,
        name: 'm',
        date: '2030-01-01',
        time: '09:00',
        participantIds: [people.lead.userId],
        ...fields,
      };
    }
  });

  it('is refused in a query', async () => {
    const { people } = await createWorld();
    for (const query of [
      '/tasks?search=a%00b',
      '/dashboard/comments?search=%00',
      '/dashboard/tasks?search=%00',
    ]) {
      const { status, body } = await api(people.member.token).get(query);
      expect([status, body.error.code], query).toEqual([400, 'invalid_request']);
      expect(body.error.message).toContain('search holds the character U+0000');
    }
  });

  it('is refused in a form', async () => {
    const form = new URLSearchParams({ grant_type: 'authorization_code', code: `a${NUL}`, client_id: 'x' });
    const answer = await send(
      new Request('https://edgework.test/api/oauth/token', { method: 'POST', body: form }),
    );
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('code holds the character U+0000');
  });
});
