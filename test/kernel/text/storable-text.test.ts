import { describe, expect, it } from 'vitest';
import { api, send } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createEmailAddress } from '../../support/people.ts';
import { createTask, createWorld } from '../../support/world.ts';
import { readFilledForm } from '../../web/server/filled-form.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

const NUL = '\u0000';

const codes = Array.from({ length: 32 }, (_, code) => code);
const layoutCharacters = ['\t', '\n', '\r'];
const controlCharacters = codes
  .map((code) => String.fromCharCode(code))
  .filter((each) => !layoutCharacters.includes(each));

describe('control characters and unpaired surrogates', () => {
  it.each([
    ['U+0000', NUL, 'U+0000'],
    ['U+0007', '\u0007', 'U+0007'],
    ['U+001F', '\u001f', 'U+001F'],
    ['an unpaired surrogate', '\ud800', 'surrogate'],
  ])(
    'are rejected in text fields with an error that contains the field name (%s)',
    async (_what, character, word) => {
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
        ['POST', '/meetings', 'location', createMeeting({ location: text })],
        ['POST', '/meetings', 'description', createMeeting({ description: text })],
        ['POST', '/timer/start', 'description', { taskId: id, description: text }],
        ['POST', '/connected-apps/api-keys', 'name', { name: text }],
        [
          'POST',
          '/auth/register',
          'name',
          { email: createEmailAddress(), password: 'correct horse', name: text },
        ],
        [
          'POST',
          '/auth/register',
          'password',
          { email: createEmailAddress(), password: `horses ${text}`, name: 'Ada' },
        ],
        ['POST', '/auth/login', 'password', { email: createEmailAddress(), password: text }],
      ];
      for (const [method, path, field, body] of calls) {
        // An unpaired surrogate can be sent only as an escape sequence.
        const answer =
          method === 'POST' ? await me.post(path, JSON.stringify(body)) : await me.patch(path, body);
        expect([answer.status, answer.body.error.code], path).toEqual([400, 'invalid_request']);
        expect(answer.body.error.message, path).toContain(field);
        if (!/control|unknown field/.test(answer.body.error.message))
          expect(answer.body.error.message, path).toContain(word);
      }

      function createMeeting(fields: Record<string, string>) {
        return {
          projectId: projects.joined.id,
          name: 'm',
          date: '2030-01-01',
          time: '09:00',
          participantIds: [people.lead.userId],
          ...fields,
        };
      }
    },
  );

  it('are rejected in a search query', async () => {
    const { people } = await createWorld();
    for (const path of ['/tasks', '/dashboard/comments', '/dashboard/tasks']) {
      for (const code of ['00', '0B', '1F']) {
        const { status, body } = await api(people.member.token).get(`${path}?search=a%${code}b`);
        expect([status, body.error.code], path).toEqual([400, 'invalid_request']);
        expect(body.error.message).toContain(`search contains the character U+00${code}`);
      }
    }
  });

  it('are rejected in a name, except for tabs and line breaks, which are stored unchanged', async () => {
    const { people, projects } = await createWorld();
    const me = api(people.lead.token);
    const tasks = codes.map((code) => ({
      projectId: projects.joined.id,
      name: `a${String.fromCharCode(code)}b`,
    }));
    const { body } = await me.post('/tasks/bulk?mode=each', { tasks });
    const stored = body.data.flatMap((each: { task?: { name: string } }) => each.task?.name ?? []);
    expect(stored).toEqual(layoutCharacters.map((each) => `a${each}b`));
    const messages = body.data.flatMap((each: { error?: { message: string } }) => each.error?.message ?? []);
    expect(messages).toEqual(
      controlCharacters.map((each) => {
        const code = each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        return `name contains the character U+${code}; send the text without it`;
      }),
    );
  });

  it('are rejected in a file name, including tabs and line breaks', async () => {
    const { people, projects } = await createWorld();
    const { id } = await createTask(people.member, projects.joined.id);
    const me = api(people.member.token);
    for (const character of [...controlCharacters, ...layoutCharacters]) {
      const file = { fileName: `a${character}b.txt`, fileType: 'text/plain', fileSize: 5 };
      for (const [path, body] of [
        [`/tasks/${id}/attachments/presign`, file],
        ['/chunked-upload/init', { ...file, taskId: id }],
      ] as const) {
        const answer = await me.post(path, body);
        expect(answer.status, JSON.stringify(file)).toBe(400);
        expect(answer.body.error.message).toContain('fileName must not contain control characters');
      }
    }
  });

  it("are returned in names that were stored earlier, and don't prevent other changes to the task", async () => {
    const { people, projects, cell } = await createWorld();
    const { id } = await createTask(people.member, projects.joined.id);
    const name = `Bell\u0007`;
    await getCell(cell).prepare('UPDATE tasks SET name = ? WHERE id = ?').bind(name, id).run();
    const me = api(people.lead.token);
    expect((await me.get(`/tasks/${id}`)).body.name).toBe(name);
    expect((await me.patch(`/tasks/${id}`, { status: 'completed' })).body).toMatchObject({
      name,
      status: 'completed',
    });
    expect((await me.post(`/tasks/${id}/duplicate`)).body.name).toBe(`${name} (copy)`);
    expect((await me.patch(`/tasks/${id}`, { name: 'Bell' })).body.name).toBe('Bell');
  });

  it("are removed from a name that a person submits in a page's form", async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = world.projects.joined;
    await getCell(world.cell)
      .prepare('UPDATE projects SET name = ?1, description = ?1 WHERE id = ?2')
      .bind('Bell\u0007', id)
      .run();
    const screens = await WorkspaceBrowser.signIn(world, owner);
    const page = await screens.open(`/projects/${id}/settings`);
    const form = readFilledForm(page.html, `${screens.base}/projects/${id}`, { description: '' });
    expect(form.name).toBe('Bell\u0007');
    const answer = await screens.post(`/projects/${id}`, { ...form, description: 'New' });
    expect(answer.status).toBe(303);
    const { body } = await api(owner.token).get(`/projects/${id}`);
    expect(body).toMatchObject({ name: 'Bell', description: 'New' });
  });

  it('are rejected in a form-encoded token request', async () => {
    const form = new URLSearchParams({ grant_type: 'authorization_code', code: `a${NUL}`, client_id: 'x' });
    const answer = await send(
      new Request('https://edgework.test/api/oauth/token', { method: 'POST', body: form }),
    );
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('code contains the character U+0000');
  });
});
