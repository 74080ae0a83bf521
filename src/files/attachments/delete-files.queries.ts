import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { attachments, objectsToDelete, workspaceStorage } from '../../schema/cell/attachments.ts';

const a = aliasTable(attachments, 'a');
const v = aliasTable(attachments, 'v');

export function selectFileVersions(first: SQL): SQL {
  return sql`(
    SELECT f.id FROM (${first}) f
    UNION SELECT ${v.id} FROM (${first}) f CROSS JOIN ${v} INDEXED BY attachments_by_parent
      ON ${v.parent} = f.id AND ${v.parent} IS NOT NULL)`;
}

/** The `deleteDueObjects` cron job deletes the objects. `files` is a SELECT of the ids of all versions. */
export function deleteFiles(ws: number, files: SQL, now: number): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(objectsToDelete, 'object_key', 'delete_at')}
      SELECT ${a.object_key}, ${now} FROM ${a} WHERE ${a.id} IN ${files}`),
    write(sql`
      UPDATE ${workspaceStorage} SET ${workspaceStorage.used} = ${workspaceStorage.used} - (
        SELECT coalesce(sum(${a.file_size}), 0) FROM ${a} WHERE ${a.id} IN ${files})
      WHERE ${workspaceStorage.ws} = ${ws}`),
    write(sql`DELETE FROM ${attachments} WHERE ${attachments.id} IN ${files}`),
  ];
}
