import { beforeEach, describe, expect, it } from 'vitest';
import { undoAppSession } from '../../../src/app-activity/undo-session.ts';
import { listTaskFeed } from '../../../src/tasks/feed/feed.ts';
import { connectApp } from '../../app-activity/connect-app.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let member: Person;
let lead: Person;
let task: number;
let first: number;

beforeEach(async () => {
  world = await createWorld();
  ({ member, lead } = world.people);
  task = (await createTask(member, world.projects.joined.id)).id;
  first = await addComment('Which color?');
});

async function addComment(content: string, parentId?: number, person = lead): Promise<number> {
  const { status, body } = await api(person.token).post(`/tasks/${task}/comments`, { content, parentId });
  expect(status).toBe(201);
  return body.id;
}
const listThreads = async () => {
  const { body } = await api(member.token).get(`/tasks/${task}/comments?expand=thread`);
  return body.data.map(({ id, parentId }: { id: number; parentId: number | null }) => [id, parentId]);
};

describe('a reply to a comment', () => {
  it('belongs to the comment, and a reply to a reply belongs to the same comment', async () => {
    const second = await addComment('Blue', first, member);
    const third = await addComment('Dark or light?', second);
    const fourth = await addComment('Another topic');
    expect(await listThreads()).toEqual([
      [first, null],
      [second, first],
      [third, first],
      [fourth, null],
    ]);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });

  it('appears in comment lists and task details with the same keys as any other comment', async () => {
    const reply = await addComment('Blue', first);
    const { body } = await api(member.token).get(`/tasks/${task}/comments`);
    expect(body.data[1]).toEqual({
      id: reply,
      content: 'Blue',
      author: { id: lead.userId, name: lead.name, email: lead.email },
      createdAt: expect.any(String),
    });
    const { body: detail } = await api(member.token).get(`/tasks/${task}`);
    expect(detail.comments).toEqual(body.data);
  });

  it('notifies the followers of the task', async () => {
    await addComment('Blue', first, member);
    const { body } = await api(lead.token).get('/notifications?limit=1');
    expect(body.data[0]).toMatchObject({ type: 'comment_added', comment: { content: 'Blue' } });
  });

  it("is rejected if the comment doesn't exist or is on another task", async () => {
    const other = await createTask(member, world.projects.joined.id);
    const { body: foreign } = await api(lead.token).post(`/tasks/${other.id}/comments`, {
      content: 'Elsewhere',
    });
    for (const parentId of [999_999_999, foreign.id]) {
      const { status, body, headers } = await api(lead.token).post(`/tasks/${task}/comments`, {
        content: 'Blue',
        parentId,
      });
      expect([status, body.error.code, headers.get('Error-Field')]).toEqual([404, 'not_found', 'parentId']);
    }
    expect(await listThreads()).toEqual([[first, null]]);
  });

  it('is rejected if the comment is deleted before the reply is stored', async () => {
    const path = `/tasks/${task}/comments`;
    const db = actBeforeBatch(getCell(world.cell), 2, () => api(lead.token).delete(`${path}/${first}`));
    const bindings = { ...meteredEnv, [`CELL_${world.cell}`]: db };
    const reply = await api(member.token, bindings).post(path, { content: 'Blue', parentId: first });
    expect(reply.status).toBe(404);
    expect(await listThreads()).toEqual([]);
  });

  it('stays if the comment is deleted, and its thread can continue', async () => {
    const reply = await addComment('Blue', first);
    await api(lead.token).delete(`/tasks/${task}/comments/${first}`);
    const next = await addComment('Dark blue', reply);
    expect(await listThreads()).toEqual([
      [reply, first],
      [next, first],
    ]);
    const { body } = await runForm(member.token, listTaskFeed, { id: task, show: 'comments', limit: 20 });
    expect(body.items[0].comment.parent).toEqual({ id: first, author: null, text: null });
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });

  it('returns to its thread if an app deleted it and the deletion is undone', async () => {
    const app = await connectApp(world, lead);
    const reply = await addComment('Blue', first);
    await api(app.token).delete(`/tasks/${task}/comments/${reply}`);
    await runForm(lead.token, undoAppSession, { app: app.app });
    expect(await listThreads()).toEqual([
      [first, null],
      [reply, first],
    ]);
  });
});

describe("a task's feed", () => {
  it('shows replies below their comment, with a form for another reply', async () => {
    await addComment('Blue', first, member);
    await addComment('Another topic');
    await addComment('Dark blue', first);
    const { html: page } = await (await WorkspaceBrowser.signIn(world, member)).open(`/tasks/${task}`);
    const order = ['Which color?', 'Blue', 'Dark blue', 'Another topic'].map((text) => page.indexOf(text));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order.every((position) => position > 0)).toBe(true);
    expect(page).toContain(`/comments/${first}/replies`);
  });

  it('shows a comment above its replies again after an undo restores it', async () => {
    const app = await connectApp(world, lead);
    await addComment('Blue', first, member);
    await api(app.token).delete(`/tasks/${task}/comments/${first}`);
    await runForm(lead.token, undoAppSession, { app: app.app });
    const { html: page } = await (await WorkspaceBrowser.signIn(world, member)).open(`/tasks/${task}`);
    expect(page.indexOf('Which color?')).toBeLessThan(page.indexOf('Blue'));
    expect(page).not.toContain('In reply to');
  });

  it('quotes the comment above a reply if the comment is on an earlier page', async () => {
    for (let count = 0; count < 20; count += 1) await addComment(`Comment ${count}`);
    await addComment('Blue', first, member);
    const { html: page } = await (await WorkspaceBrowser.signIn(world, member)).open(`/tasks/${task}`);
    expect(page).toContain(`In reply to <bdi>${lead.name}</bdi>: <bdi>Which color?</bdi>`);
  });
});
