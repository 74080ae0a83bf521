import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';

describe("a task's comments", () => {
  it('are returned verbatim, oldest first, with exact totals', async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const contents = Array.from({ length: 12 }, (_, index) => ` <b>comment</b> & ${index} 🚀\n`);
    for (const content of contents) {
      const { status, body } = await api(lead.token).post(`/tasks/${id}/comments`, { content });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        content,
        author: { id: lead.userId, name: lead.name, email: lead.email },
      });
    }
    const { body } = await api(member.token).get(`/tasks/${id}/comments?limit=5&offset=5`);
    expect(body.data.map((each: { content: string }) => each.content)).toEqual(contents.slice(5, 10));
    expect(body.meta).toEqual({ total: 12, limit: 5, offset: 5, hasMore: true });
    const detail = await api(member.token).get(`/tasks/${id}`);
    expect(detail.body.comments.map((each: { content: string }) => each.content)).toEqual(contents.slice(2));
    const trimmed = await api(member.token).get(`/tasks/${id}/comments?fields=id,content&limit=1`);
    expect(Object.keys(trimmed.body.data[0])).toEqual(['id', 'content']);
  });

  it('make the author a follower, and notify the other followers', async () => {
    const world = await createWorld();
    const { member, lead, admin } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    await api(lead.token).post(`/tasks/${id}/comments`, { content: 'one' });
    await api(admin.token).post(`/tasks/${id}/comments`, { content: 'two' });
    const readNotifiedComments = async (token: string) =>
      (await api(token).get('/notifications')).body.data.map(
        (each: { comment: { content: string } }) => each.comment.content,
      );
    expect(await readNotifiedComments(member.token)).toEqual(['two', 'one']);
    expect(await readNotifiedComments(lead.token)).toEqual(['two']);
    expect(await readNotifiedComments(admin.token)).toEqual([]);
    const detail = await api(member.token).get(`/tasks/${id}`);
    const inOrder = [member, lead, admin].toSorted((one, other) => one.member - other.member);
    expect(detail.body.followers.map((each: { id: string }) => each.id)).toEqual(
      inOrder.map(({ userId }) => userId),
    );
    const history = await api(member.token).get(`/tasks/${id}/activities?limit=1`);
    expect(history.body.data[0]).toMatchObject({ type: 'comment_added', actor: { id: admin.userId } });
    expect(history.body.data[0].commentId).toBe(detail.body.comments[1].id);
  });

  it('are rejected if the text is blank, missing or too long, or if unknown fields are sent', async () => {
    const world = await createWorld();
    const { id } = await createTask(world.people.member, world.projects.joined.id);
    const bodies = [
      {},
      { content: '' },
      { content: ' \n' },
      { content: 'x'.repeat(20_001) },
      { content: 5 },
      { content: 'a', author: 'b' },
    ];
    for (const body of bodies) {
      expect((await api(world.people.member.token).post(`/tasks/${id}/comments`, body)).status).toBe(400);
    }
    expect((await api(world.people.member.token).get(`/tasks/${id}/comments`)).body.meta.total).toBe(0);
  });

  it('are limited to 5,000, because reassigning the task rewrites all of them', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const addComment = () => api(member.token).post(`/tasks/${id}/comments`, { content: 'one more' });
    await getCell(0).prepare('UPDATE tasks SET comment_count = 4999 WHERE id = ?').bind(id).run();
    expect(
      (await Promise.all([addComment(), addComment(), addComment()])).map(({ status }) => status).sort(),
    ).toEqual([201, 400, 400]);
    const rejected = await addComment();
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining('can have up to 5000 comments'),
    ]);
    expect((await api(member.token).get(`/tasks/${id}/comments`)).body.data).toHaveLength(1);
  });
});
