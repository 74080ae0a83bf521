import { insertFile } from '../files/attachments/insert-file.ts';
import { api } from '../support/api.ts';
import { env, getCell } from '../support/env.ts';
import type { Person, Workspace } from '../support/world.ts';

const SAMPLE_CSV = 'ID,Task,Status\n1,First,Todo\n2,Second,Done';

/** Adds a file with the given text to a project, as if it had been uploaded. Returns the file's id. */
export async function addCsvFile(
  workspace: Pick<Workspace, 'cell' | 'no' | 'id'>,
  uploader: Pick<Person, 'member'>,
  project: number,
  text: string | Uint8Array = SAMPLE_CSV,
  fileName = 'tasks.csv',
): Promise<number> {
  const id = await insertFile(workspace, uploader, { project });
  const key = `${workspace.cell}/${workspace.id}/import-${id}`;
  const stored = await env.FILES.put(key, text);
  if (!stored) throw new Error('the file was not stored');
  const { etag, size } = stored;
  await getCell(workspace.cell)
    .prepare(
      "UPDATE attachments SET object_key = ?, etag = ?, file_size = ?, file_name = ?, file_type = 'text/plain' WHERE id = ?",
    )
    .bind(key, etag, size, fileName, id)
    .run();
  await getCell(workspace.cell)
    .prepare('UPDATE storage SET used = used + ? WHERE ws = ?')
    .bind(size - 1, workspace.no)
    .run();
  return id;
}

/** Returns the id of an import that is ready to start. */
export async function prepareImport(
  workspace: Pick<Workspace, 'cell' | 'no' | 'id'>,
  owner: Person,
  project: number,
  text?: string | Uint8Array,
): Promise<number> {
  const attachmentId = await addCsvFile(workspace, owner, project, text);
  const { body } = await api(owner.token).post('/imports', { projectId: project, attachmentId });
  return body.id;
}

export async function deleteImportedFile({ cell }: Pick<Workspace, 'cell'>, id: number): Promise<void> {
  const key = await getCell(cell)
    .prepare('SELECT object_key FROM imports WHERE id = ?')
    .bind(id)
    .first<string>('object_key');
  await env.FILES.delete(String(key));
}
