import { isAfter } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { attachments, workspaceStorage } from '../../schema/cell/attachments.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { buildFilePath } from './file-path.ts';
import { isInExportIndex, ROWS_MAX } from './limits.queries.ts';
import { defineTable, type TableSource, toUserId } from './table.ts';

const a = aliasTable(attachments, 'a');
const p = aliasTable(projects, 'p');
const s = aliasTable(workspaceStorage, 's');
const t = aliasTable(tasks, 't');

/** Leaves out the files of tasks and projects that are deleted, whose workspace number is negative. */
const selectFiles = (ws: number, after: TableSource['after'], condition: SQL = sql``) => sql`
  ${a} INDEXED BY attachments_by_workspace
  WHERE ${a.ws} = ${ws} AND ${isInExportIndex(a.id)} AND ${isAfter({ after }, [{ column: a.id }])}
    AND (${a.task} IS NULL OR EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${a.task} AND ${t.ws} = ${ws}))
    AND (${a.project} IS NULL OR EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${a.project} AND ${p.ws} = ${ws}))${condition}
  ORDER BY ${a.id}`;

const attachmentColumns = selectColumns({
  id: a.id,
  task: a.task,
  project: a.project,
  parent: a.parent,
  version: a.version,
  file_name: a.file_name,
  file_type: a.file_type,
  file_size: a.file_size,
  uploaded_by: a.uploaded_by,
  created_at: a.created_at,
});

export const attachmentsTable = defineTable({
  name: 'attachments',
  description:
    'The files of tasks and projects. `path` is where the file is in this archive, if the export includes files. `firstVersionId` is the first version of a file that was replaced.',
  read: ({ ws, after }) =>
    readRows(sql`SELECT ${attachmentColumns} FROM ${selectFiles(ws, after)} LIMIT ${ROWS_MAX}`),
  key: ({ id }) => [id],
  show: (row, lookups) => ({
    id: row.id,
    taskId: row.task,
    projectId: row.project,
    path: buildFilePath(row),
    fileName: row.file_name,
    fileType: row.file_type,
    fileSize: row.file_size,
    version: row.version,
    firstVersionId: row.parent,
    uploadedById: toUserId(lookups, row.uploaded_by),
    createdAt: toTimestamp(row.created_at),
  }),
  isOwn: ({ uploaded_by }, member) => uploaded_by === member,
});

const storedFileColumns = selectColumns({
  id: a.id,
  file_name: a.file_name,
  file_size: a.file_size,
  object_key: a.object_key,
  etag: a.etag,
});
export type StoredFile = Row<typeof storedFileColumns>;

/** `person` is the member who uploaded the files, or 0 for all files. */
export function listStoredFiles(
  { ws, person }: { ws: number; person: number },
  after: number,
  limit: number,
): Statement<StoredFile[]> {
  const uploader = person === 0 ? sql`` : sql` AND ${a.uploaded_by} = ${person}`;
  return readRows(sql`SELECT ${storedFileColumns} FROM ${selectFiles(ws, [after], uploader)} LIMIT ${limit}`);
}

export function getStoredBytes(ws: number): Statement<number> {
  return readNumber(sql`SELECT ${s.used} FROM ${s} WHERE ${s.ws} = ${ws}`);
}
