import { toDescriptionKey, toSearchKey } from '../../src/search/index/search-key.ts';
import { indexTasks } from './bulk.ts';
import { cellOf } from './env.ts';

export interface TaskText {
  name: string;
  description?: string;
  due?: string;
  status?: number;
  archived?: number;
}

const AT_ONCE_CHARACTERS = 400_000;

/** Inserts tasks with these texts directly into the cell, because sending thousands of requests would take too long. */
export async function insertTexts(
  { no, project, member }: { no: number; project: number; member: number },
  texts: readonly TaskText[],
): Promise<void> {
  let chunk: object[] = [];
  let characters = 0;
  const db = cellOf(0);
  for (const { name, description, due, status, archived } of texts) {
    const keys = { name_key: toSearchKey(name), description_key: toDescriptionKey(description ?? null) };
    chunk.push({ name, description, due, status, archived, ...keys });
    characters += name.length + (description?.length ?? 0) * 2;
    if (characters > AT_ONCE_CHARACTERS) await flush();
  }
  await flush();
  await indexTasks(no);

  async function flush() {
    const value = (column: string) => `json_extract(d.value, '$.${column}')`;
    await db
      .prepare(`
        INSERT INTO tasks (ws, project, assignee, status, archived, name, description, due, name_key, description_key,
          activity_count, created_by, created_at, updated_at)
        SELECT ?2, ?3, ?4, coalesce(${value('status')}, 0), coalesce(${value('archived')}, 0), ${value('name')},
          ${value('description')}, coalesce(${value('due')}, '9999-99-99'), ${value('name_key')},
          ${value('description_key')}, 0, ?4, 1, 1 FROM json_each(?1) d ORDER BY d.key`)
      .bind(JSON.stringify(chunk), no, project, member)
      .run();
    [chunk, characters] = [[], 0];
  }
}
