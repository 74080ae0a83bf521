import { toDescriptionKey, toSearchKey } from '../../src/search/index/search-key.ts';
import { indexTasks } from './bulk-world.ts';
import { getCell } from './env.ts';

export interface TaskText {
  name: string;
  description?: string;
  due?: string;
  status?: number;
  archived?: number;
}

const CHARACTERS_PER_INSERT = 400_000;

/** Inserts tasks directly into the cell, because sending thousands of requests would take too long. */
export async function insertTaskTexts(
  { no, project, member }: { no: number; project: number; member: number },
  texts: readonly TaskText[],
): Promise<void> {
  let chunk: object[] = [];
  let characters = 0;
  const db = getCell(0);
  for (const { name, description, due, status, archived } of texts) {
    const keys = { name_key: toSearchKey(name), description_key: toDescriptionKey(description ?? null) };
    chunk.push({ name, description, due, status, archived, ...keys });
    characters += name.length + (description?.length ?? 0) * 2;
    if (characters > CHARACTERS_PER_INSERT) await flush();
  }
  await flush();
  await indexTasks(no);

  async function flush() {
    const selectValue = (column: string) => `json_extract(d.value, '$.${column}')`;
    await db
      .prepare(`
        INSERT INTO tasks (ws, project, assignee, status, archived, name, description, due, name_key, description_key,
          activity_count, created_by, created_at, updated_at)
        SELECT ?2, ?3, ?4, coalesce(${selectValue('status')}, 0), coalesce(${selectValue('archived')}, 0), ${selectValue('name')},
          ${selectValue('description')}, coalesce(${selectValue('due')}, '9999-99-99'), ${selectValue('name_key')},
          ${selectValue('description_key')}, 0, ?4, 1, 1 FROM json_each(?1) d ORDER BY d.key`)
      .bind(JSON.stringify(chunk), no, project, member)
      .run();
    [chunk, characters] = [[], 0];
  }
}
