import { getCell } from '../../support/env.ts';
import type { Person, Workspace } from '../../support/world.ts';

/** Inserts the row of an uploaded file, without an object in R2. Returns the id. */
export async function insertFile(
  { cell, no }: Pick<Workspace, 'cell' | 'no'>,
  uploader: Pick<Person, 'member'>,
  target: { readonly task: number } | { readonly project: number },
): Promise<number> {
  const [column, id] = 'task' in target ? ['task', target.task] : ['project', target.project];
  const [, made] = await getCell(cell).batch<{ id: number }>([
    getCell(cell)
      .prepare('INSERT INTO storage (ws, used) VALUES (?, 1) ON CONFLICT (ws) DO UPDATE SET used = used + 1')
      .bind(no),
    getCell(cell)
      .prepare(
        `INSERT INTO attachments (ws, ${column}, file_name, file_type, file_size, s3_key, object_key, etag, uploaded_by, created_at)
        VALUES (?, ?, 'x', 'text/plain', 1, hex(randomblob(16)), hex(randomblob(16)), 'x', ?, 1) RETURNING id`,
      )
      .bind(no, id, uploader.member),
  ]);
  return made?.results[0]?.id ?? 0;
}
