import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { attachments, objectsToDelete, uploads } from '../../schema/cell/attachments.ts';
import { exports } from '../../schema/cell/exports.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { isLimitedReader } from '../../tasks/visibility/project-visibility.queries.ts';

const excluded = aliasTable(objectsToDelete, 'excluded');
const a = aliasTable(attachments, 'a');
const m = aliasTable(activeMembers, 'm');
const o = aliasTable(objectsToDelete, 'o');
const t = aliasTable(tasks, 't');
const u = aliasTable(uploads, 'u');
const x = aliasTable(exports, 'x');

const etagColumn = selectColumns({ etag: a.etag });

export function findObjectEtag(objectKey: string, member: number): Statement<{ etag: string } | null> {
  return readFirstRow(sql`
    SELECT ${etagColumn} FROM ${a} CROSS JOIN ${m} ON ${m.no} = ${member} AND ${m.ws} = ${a.ws}
    WHERE ${a.object_key} = ${objectKey}
      AND (${a.task} IS NULL OR EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${a.task} AND ${t.ws} = ${a.ws}))`);
}

const archiveColumns = selectColumns({ ws: x.ws, id: x.id, etag: withType<string>(x.etag) });
export type ExportArchive = Row<typeof archiveColumns>;

/** Finds the archive of an export, if the member may still download it. */
export function findExportArchive(
  objectKey: string,
  member: number,
  now: number,
): Statement<ExportArchive | null> {
  return readFirstRow(sql`
    SELECT ${archiveColumns} FROM ${m} CROSS JOIN ${x} INDEXED BY exports_by_workspace ON ${x.ws} = ${m.ws}
    WHERE ${m.no} = ${member} AND ${x.object_key} = ${objectKey}
      AND (${x.person} = ${m.no} OR (${x.person} = 0 AND NOT ${isLimitedReader(m, 'exportWorkspace')}))
      AND ${x.status} = 'completed' AND ${x.expires_at} > ${now}`);
}

export function scheduleDeletion(objectKey: string, at: number): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(objectsToDelete, 'object_key', 'delete_at')} VALUES (${objectKey}, ${at})
      ON CONFLICT (${objectsToDelete.object_key}) DO UPDATE
        SET ${objectsToDelete.delete_at} = ${excluded.delete_at} WHERE ${objectsToDelete.taken} = 0`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

/** Aborts the batch if any of the objects may already be deleted. */
export function cancelDeletions(objectKeys: readonly string[]): Statement<void>[] {
  return [
    write(sql`DELETE FROM ${objectsToDelete} WHERE ${objectsToDelete.object_key} IN ${buildInList(objectKeys)}
      AND ${objectsToDelete.taken} = 0`),
    assertUnchanged(sql`changes() = ${objectKeys.length}`),
  ];
}

const claimedKeyColumn = selectColumns({ object_key: objectsToDelete.object_key });

export function hasDueObjects({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${o} WHERE ${o.delete_at} <= ${now})`;
}

export function claimDueObjects(
  now: number,
  retryAt: number,
  limit: number,
): Statement<{ object_key: string }[]> {
  return readRows(sql`
    UPDATE ${objectsToDelete} SET ${objectsToDelete.taken} = 1, ${objectsToDelete.delete_at} = ${retryAt}
      WHERE ${objectsToDelete.object_key} IN (
      SELECT ${o.object_key} FROM ${o} WHERE ${o.delete_at} <= ${now} ORDER BY ${o.delete_at} LIMIT ${limit})
    RETURNING ${claimedKeyColumn}`);
}

export function clearDeletedObjects(objectKeys: readonly string[]): Statement<void> {
  return write(
    sql`DELETE FROM ${objectsToDelete} WHERE ${objectsToDelete.object_key} IN ${buildInList(objectKeys)}`,
  );
}

const objectKeyColumn = selectColumns({ object_key: withType<string>(sql`k.value`) });

export function listUnknownKeys(keys: readonly string[]): Statement<{ object_key: string }[]> {
  return readRows(sql`
    SELECT ${objectKeyColumn} FROM json_each(${JSON.stringify(keys)}) k
    WHERE NOT EXISTS (SELECT 1 FROM ${a} WHERE ${a.object_key} = k.value)
      AND NOT EXISTS (SELECT 1 FROM ${u} WHERE ${u.s3_key} = k.value)
      AND NOT EXISTS (SELECT 1 FROM ${o} WHERE ${o.object_key} = k.value)`);
}
