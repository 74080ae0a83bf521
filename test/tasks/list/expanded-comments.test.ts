import { beforeAll, describe, expect, it } from 'vitest';
import { COMMENTS_BYTES_MAX } from '../../../src/tasks/model/tasks.schema.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const MIB = 1024 ** 2;
const KIB = 1024;

let world: World;
let lead: Person;

beforeAll(async () => {
  world = await createWorld();
  lead = world.people.lead;
});

/** Inserts comments, oldest first, updates the task's comment count, and returns the comment ids. */
async function addComments(
  task: number,
  contents: readonly string[],
  author = lead.member,
): Promise<number[]> {
  const db = getCell(world.cell);
  const { results } = await db
    .prepare(
      `INSERT INTO comments (ws, task, author, project, assignee, archived, day, content, content_key, created_at)
       SELECT t.ws, t.id, ?, t.project, t.assignee, t.archived, '2026-11-20', d.value, '', 1000 + d.key
       FROM tasks t CROSS JOIN json_each(?) d WHERE t.id = ? ORDER BY d.key RETURNING id`,
    )
    .bind(author, JSON.stringify(contents), task)
    .all<{ id: number }>();
  await db
    .prepare('UPDATE tasks SET comment_count = comment_count + ? WHERE id = ?')
    .bind(contents.length, task)
    .run();
  return results.map(({ id }) => id).sort((a, b) => a - b);
}

async function listShownComments(task: number): Promise<number[]> {
  const { body } = await api(lead.token).get('/tasks?scope=all&expand=comments&limit=100');
  const found = body.data.find(({ id }: { id: number }) => id === task);
  return found.comments.map(({ id }: { id: number }) => id);
}

describe('a listed task with expand=comments', () => {
  it.each([
    ['as many of the newest comments as fit into 64 KB', Array(8).fill('x'.repeat(20_000)), 3],
    ['comments that fill exactly 64 KB', Array(5).fill('x'.repeat(16 * KIB)), 4],
    ['comments up to 64 KB in bytes, not in characters', Array(5).fill('漢'.repeat(10_000)), 2],
    ['comments up to 64 KB after escaping as JSON', Array(5).fill('"'.repeat(20_000)), 1],
    ['at most a hundred comments', Array(130).fill('short'), 100],
    [
      "no comment that is older than one that doesn't fit",
      ['short', 'x'.repeat(20_000), '漢'.repeat(20_000)],
      1,
    ],
  ])('includes %s', async (_name, contents, count) => {
    const { id } = await createTask(lead, world.projects.joined.id);
    const ids = await addComments(id, contents);
    expect(await listShownComments(id)).toEqual(ids.slice(-count));
    // The task's comment list still contains all comments.
    expect((await api(lead.token).get(`/tasks/${id}/comments?limit=1`)).body.meta.total).toBe(
      contents.length,
    );
  });

  it('includes at most 76 KB of comments and their authors, even if a name is as long as possible', async () => {
    const db = getCell(world.cell);
    const { id } = await createTask(lead, world.projects.joined.id);
    await addComments(id, Array(100).fill('"'.repeat(327)), world.people.admin.member);
    await db
      .prepare('UPDATE members SET name = ?, email = ? WHERE no = ?')
      .bind('漢'.repeat(100), `${'a'.repeat(242)}@example.com`, world.people.admin.member)
      .run();
    const { body } = await api(lead.token).get('/tasks?scope=all&expand=comments&limit=100');
    const { comments } = body.data.find((each: { id: number }) => each.id === id);
    const bytes = new TextEncoder().encode(JSON.stringify(comments)).length;
    expect(bytes).toBeLessThanOrEqual(COMMENTS_BYTES_MAX);
    expect(bytes).toBeGreaterThan(COMMENTS_BYTES_MAX - 2_000);
  });
});

it('a page with the longest comments is under 8 MiB, and reads at most 10% more rows than with short ones', async () => {
  const db = getCell(world.cell);
  const readPage = async () => {
    const answer = await api(lead.token).get(
      `/tasks?projectId=${world.projects.other.id}&expand=comments&limit=100`,
    );
    return { answer, bytes: new TextEncoder().encode(answer.text).length };
  };
  await db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
       INSERT INTO tasks (ws, project, name, created_by, created_at, updated_at) SELECT ?, ?, 'Task ' || i, ?, i, i FROM n`,
    )
    .bind(world.no, world.projects.other.id, lead.member)
    .run();
  const fillComments = (characters: number) =>
    db
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
         INSERT INTO comments (ws, task, author, project, assignee, archived, day, content, created_at)
         SELECT t.ws, t.id, ?, t.project, t.assignee, 0, '2026-11-20', printf('%.*c', ?, 'x'), n.i FROM tasks t, n WHERE t.project = ?`,
      )
      .bind(lead.member, characters, world.projects.other.id)
      .run();
  await fillComments(10);
  const short = await readPage();
  expect(short.answer.body.data[0].comments).toHaveLength(100);
  await fillComments(20_000);
  const long = await readPage();
  expect(long.answer.body.data.map(({ comments }: { comments: unknown[] }) => comments.length)).toEqual(
    Array(100).fill(3),
  );
  expect(long.bytes).toBeLessThan(8 * MIB);
  expect(long.answer.cost.rowsRead).toBeLessThanOrEqual(short.answer.cost.rowsRead * 1.1);
});

it('a comment of 20,000 characters is accepted unless it contains control characters', async () => {
  const { id } = await createTask(lead, world.projects.joined.id);
  const addComment = (content: string) => api(lead.token).post(`/tasks/${id}/comments`, { content });
  expect((await addComment('漢'.repeat(20_000))).status).toBe(201);
  expect((await addComment('"'.repeat(20_000))).status).toBe(201);
  // Control characters are rejected, because they would take six bytes each as JSON.
  expect((await addComment('\u0001'.repeat(20_000))).status).toBe(400);
});

it('the name of a task that is copied repeatedly stays within the limit, without splitting a character', async () => {
  let { id, name } = await createTask(lead, world.projects.joined.id, { name: '😀'.repeat(250) });
  for (let copies = 1; copies <= 16; copies += 1) {
    const { body } = await api(lead.token).post(`/tasks/${id}/duplicate`);
    expect(body.name.endsWith(' (copy)')).toBe(true);
    if (name.length + 7 <= 600) expect(body.name).toBe(`${name} (copy)`);
    ({ id, name } = body);
  }
  expect(name.length).toBeLessThanOrEqual(600);
  expect(name.isWellFormed()).toBe(true);
});
