import { beforeEach, describe, expect, it } from 'vitest';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

let world: World;
let taskId: number;
let commentId: number;

beforeEach(async () => {
  world = await createWorld();
  const { lead, member } = world.people;
  taskId = (await createTask(member, world.projects.joined.id, { assigneeId: member.userId })).id;
  commentId = await addComment(lead, 'First draft');
});

const addComment = async (person: Person, content: string): Promise<number> =>
  (await api(person.token).post(`/tasks/${taskId}/comments`, { content })).body.id;
const buildPath = (comment = commentId, task = taskId) => `/tasks/${task}/comments/${comment}`;
const listComments = async () => (await api(world.people.member.token).get(`/tasks/${taskId}/comments`)).body;
const readHistory = async (limit: number) =>
  (await api(world.people.member.token).get(`/tasks/${taskId}/activities?limit=${limit}`)).body;
const searchComments = async (search: string): Promise<number[]> =>
  (
    await api(world.people.owner.token).get(`/dashboard/comments?search=${encodeURIComponent(search)}`)
  ).body.data.map((each: { id: number }) => each.id);

describe('changing a comment', () => {
  it('returns the same comment as GET, keeps its position, and records the change', async () => {
    const { lead } = world.people;
    const later = await addComment(lead, 'Later');
    const before = await listComments();
    const answer = await api(lead.token).patch(buildPath(), { content: 'Zweite <b>Fassung</b> 🚀' });
    const after = await listComments();
    expect([answer.status, answer.body]).toEqual([200, after.data[0]]);
    expect(after.data).toEqual([{ ...before.data[0], content: 'Zweite <b>Fassung</b> 🚀' }, before.data[1]]);
    expect(after.data.map((each: { id: number }) => each.id)).toEqual([commentId, later]);
    const { data, meta } = await readHistory(1);
    expect(data[0]).toMatchObject({
      type: 'comment_edited',
      commentId,
      from: null,
      to: null,
      actor: { id: lead.userId },
    });
    expect(meta.total).toBe(4);
    expect([await searchComments('draft'), await searchComments('dr')]).toEqual([[], []]);
    expect([await searchComments('ZWEITE <b>'), await searchComments('🚀')]).toEqual([
      [commentId],
      [commentId],
    ]);
    const notifications = await api(world.people.member.token).get('/notifications');
    expect(
      notifications.body.data.map((each: { comment: { content: string } | null }) => each.comment?.content),
    ).toEqual(expect.arrayContaining(['Zweite <b>Fassung</b> 🚀', 'Later']));
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('changes the ETag of the task, unless the text is the same', async () => {
    const { lead } = world.people;
    const readTag = async () => (await api(lead.token).get(`/tasks/${taskId}`)).headers.get('ETag');
    const first = await readTag();
    expect((await api(lead.token).patch(buildPath(), { content: 'First draft' })).status).toBe(200);
    expect([await readTag(), (await readHistory(1)).meta.total]).toEqual([first, 2]);
    await api(lead.token).patch(buildPath(), { content: 'Second draft' });
    expect(await readTag()).not.toBe(first);
  });

  it('is allowed only for the author', async () => {
    for (const name of ['owner', 'admin', 'member', 'client'] as const) {
      const rejected = await api(world.people[name].token).patch(buildPath(), { content: 'Mine now' });
      expect([name, rejected.status, rejected.body.error.code]).toEqual([name, 403, 'forbidden']);
    }
    expect((await listComments()).data[0].content).toBe('First draft');
  });
});

describe('deleting a comment', () => {
  it('removes it from lists, counts, the dashboard and search, and its id is never reused', async () => {
    const { lead, owner, member } = world.people;
    const last = await addComment(lead, 'The very last');
    const answer = await api(lead.token).delete(buildPath(last));
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await listComments()).meta.total).toBe(1);
    expect((await api(lead.token).delete(buildPath(last))).status).toBe(404);
    expect(await searchComments('very last')).toEqual([]);
    const dashboard = await api(owner.token).get('/dashboard/comments');
    expect([dashboard.body.meta.total, dashboard.body.data.length]).toEqual([1, 1]);
    const { data } = await readHistory(2);
    expect(data.map((each: { type: string; commentId: number }) => [each.type, each.commentId])).toEqual([
      ['comment_removed', last],
      ['comment_added', last],
    ]);
    const notifications = await api(member.token).get('/notifications');
    const about = notifications.body.data.filter((each: { type: string }) => each.type === 'comment_added');
    expect(about.map((each: { comment: unknown }) => each.comment)).toEqual([
      null,
      { id: commentId, content: 'First draft' },
    ]);
    expect(await addComment(lead, 'Another')).toBeGreaterThan(last);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("is allowed for its author, and for the workspace's owners and admins", async () => {
    const mine = await addComment(world.people.member, 'Mine');
    for (const name of ['lead', 'client'] as const) {
      const rejected = await api(world.people[name].token).delete(buildPath(mine));
      expect([name, rejected.status]).toEqual([name, 403]);
    }
    expect((await api(world.people.admin.token).delete(buildPath(mine))).status).toBe(200);
    expect((await api(world.people.owner.token).delete(buildPath())).status).toBe(200);
    expect((await listComments()).meta.total).toBe(0);
  });

  it('happens once per Idempotency-Key, and returns the same response to a retry', async () => {
    const { lead } = world.people;
    const deleteAgain = () => api(lead.token).delete(buildPath(), { 'Idempotency-Key': 'gone' });
    const answers = [await deleteAgain(), await deleteAgain()];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { success: true }],
      [200, { success: true }],
    ]);
    expect((await readHistory(1)).meta.total).toBe(3);
  });
});

describe('a request to change or delete a comment', () => {
  it('is checked for valid text, visibility, permission and an archived task, in this order', async () => {
    const { lead, member } = world.people;
    const other = await createTask(member, world.projects.joined.id);
    const patchComment = async (
      person: Person,
      where: string,
      body: Record<string, unknown> = { content: 'x' },
    ) => (await api(person.token).patch(where, body)).status;
    const removeComment = async (person: Person, where: string) =>
      (await api(person.token).delete(where)).status;
    expect(await patchComment(lead, buildPath(900_000_000), { content: ' ' })).toBe(400);
    expect(await patchComment(lead, buildPath(commentId, other.id))).toBe(404);
    expect(await removeComment(lead, buildPath(commentId, other.id))).toBe(404);
    expect(await patchComment(lead, buildPath(commentId, 900_000_000))).toBe(404);
    await api(member.token).post(`/tasks/${taskId}/archive`);
    expect(await patchComment(member, buildPath(900_000_000))).toBe(404);
    expect([await patchComment(member, buildPath()), await removeComment(member, buildPath())]).toEqual([
      403, 403,
    ]);
    expect([await patchComment(lead, buildPath()), await removeComment(lead, buildPath())]).toEqual([
      400, 400,
    ]);
    expect((await listComments()).data[0].content).toBe('First draft');
  });

  it('keeps every counter correct when sent in parallel with others', async () => {
    const { lead, owner, member } = world.people;
    const ids = await Promise.all(
      Array.from({ length: 4 }, (_, index) => addComment(lead, `number ${index}`)),
    );
    const statuses = await Promise.all([
      ...ids.map((id) => api(lead.token).patch(buildPath(id), { content: `changed ${id}` })),
      ...ids
        .slice(0, 2)
        .flatMap((id) => [api(lead.token).delete(buildPath(id)), api(owner.token).delete(buildPath(id))]),
      api(member.token).patch(`/tasks/${taskId}`, { assigneeId: lead.userId }),
      addComment(member, 'in between'),
    ]);
    const removed = statuses.slice(4, 8).map((each) => (each as { status: number }).status);
    expect(removed.filter((status) => status === 200)).toHaveLength(2);
    expect((await listComments()).meta.total).toBe(4);
    expect(await findInconsistencies([0])).toEqual([]);
  });
});
