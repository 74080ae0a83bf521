import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

// Each comment has the maximum length of 20,000 characters, and takes 59,998 bytes as JSON.
const contents = Array.from(
  { length: 20 },
  (_, index) => `${String(index).padStart(2, '0')}${'漢'.repeat(19_998)}`,
);
/** The maximum bytes of comments per batch, as in src/tasks/comment-contents/long-contents.ts. */
const BYTES_PER_BATCH_MAX = 400_000;
const TRIPS = 1 + Math.ceil(contents.length / Math.floor(BYTES_PER_BATCH_MAX / 59_998));

describe('a page of comments', () => {
  let world: World;
  let task: number;

  beforeAll(async () => {
    world = await createWorld();
    const { member, lead } = world.people;
    task = (await createTask(member, world.projects.joined.id)).id;
    for (const content of contents) {
      expect((await api(lead.token).post(`/tasks/${task}/comments`, { content })).status).toBe(201);
    }
  });

  const newestFirst = contents.toReversed();
  it.each<[string, () => string, (body: Body) => unknown, string[], number]>([
    [
      'the comments of a task',
      () => `/tasks/${task}/comments?limit=100`,
      ({ data }) => data.map(({ content }) => content),
      contents,
      TRIPS,
    ],
    [
      'the comments on the dashboard',
      () => '/dashboard/comments?limit=100',
      ({ data }) => data.map(({ content }) => content),
      newestFirst,
      TRIPS,
    ],
    [
      'the inbox',
      () => '/notifications?limit=100',
      ({ data }) => data.flatMap(({ comment }) => (comment ? [comment.content] : [])),
      newestFirst,
      TRIPS,
    ],
    [
      'the detail of a task',
      () => `/tasks/${task}`,
      ({ comments }) => comments.map(({ content }) => content),
      contents.slice(-10),
      3,
    ],
  ])(
    'can contain the longest comments, which are read in batches of limited size (%s)',
    async (_name, path, read, expected, trips) => {
      const { member } = world.people;
      await api(member.token).get(path());
      const answer = await api(member.token).get(path());
      expect(answer.status).toBe(200);
      expect(read(answer.body)).toEqual(expected);
      expect(answer.cost.trips).toBe(trips);
    },
  );

  it('takes one database round trip if the comments are short', async () => {
    const { member, lead } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    for (let index = 0; index < 25; index += 1) {
      await api(lead.token).post(`/tasks/${id}/comments`, { content: 'x'.repeat(3_900) });
    }
    await api(member.token).get(`/tasks/${id}/comments?limit=100`);
    const answer = await api(member.token).get(`/tasks/${id}/comments?limit=100`);
    expect(answer.body.data).toHaveLength(25);
    expect(answer.cost.trips).toBe(1);
  });
});

interface Body {
  data: { content: string; comment: { content: string } | null }[];
  comments: { content: string }[];
}
