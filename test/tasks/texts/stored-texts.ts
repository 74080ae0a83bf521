import { expect } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import type { World } from '../../support/world.ts';

/** Descriptions that take more bytes than this are stored separately from their tasks. */
export const BYTES_INLINE = 8_192;
export const DESCRIPTION_MAX = 100_000;
export const ROW_CHARACTERS_MAX = 500;

export const random = createRandom(98);
export const createText = (length: number, first = 0x61, of = 26) =>
  Array.from({ length }, () => String.fromCharCode(first + random.integer(0, of - 1))).join('');
export const createChineseText = (length: number) => createText(length, 0x4e00, 20_000);

interface StoredText {
  id: number;
  description: string;
  tasks: number;
}

/** Returns the descriptions that are stored separately. `tasks` is the number of tasks that share a description. */
export async function listStoredTexts({ no }: World): Promise<StoredText[]> {
  const { results } = await getCell(0)
    .prepare(
      `SELECT id, description, (SELECT count(*) FROM tasks t WHERE t.long_text = x.id AND abs(t.ws) = x.ws) AS tasks
      FROM long_texts x WHERE ws = ? ORDER BY id`,
    )
    .bind(no)
    .all<StoredText>();
  return results;
}

/** Returns the number of characters of the longest task row as JSON. Every change to a task rewrites its row. */
export async function readLongestRowLength({ no }: World): Promise<number> {
  const { results } = await getCell(0)
    .prepare('SELECT * FROM tasks WHERE ws = ?')
    .bind(no)
    .all<Record<string, unknown>>();
  return Math.max(...results.map((row) => JSON.stringify(Object.values(row)).length));
}

export async function createTasks(
  { people, projects }: World,
  count: number,
  description: () => string,
): Promise<number[]> {
  const tasks = Array.from({ length: count }, (_, index) => ({
    projectId: projects.joined.id,
    name: `Task ${index}`,
    description: description(),
  }));
  const { status, body } = await api(people.owner.token).post('/tasks/bulk', { tasks });
  expect(status).toBe(201);
  return body.data.map(({ task }: { task: { id: number } }) => task.id);
}

export async function readDescription({ people }: World, id: number): Promise<string | null> {
  return (await api(people.owner.token).get(`/tasks/${id}`)).body.description;
}
