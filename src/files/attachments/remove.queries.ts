import type { Caller } from '../../kernel/access/access.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
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
import { attachments, objectsToDelete, workspaceStorage } from '../../schema/cell/attachments.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { type AttachmentTarget, isTargetVisible } from './attachments.queries.ts';

const a = aliasTable(attachments, 'a');
const o = aliasTable(attachments, 'o');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const v = aliasTable(attachments, 'v');
const w = aliasTable(objectsToDelete, 'w');

const fileColumns = selectColumns({
  first: withType<number>(sql`coalesce(${a.parent}, ${a.id})`),
  file_name: a.file_name,
});
export type FileRow = Row<typeof fileColumns> & {
  versions: number;
  of_others: number;
  owns_project: number;
};

function isVersionOf(id: SQL, first: SQL): SQL {
  return sql`${id} IN (
    SELECT ${first} UNION ALL SELECT ${o.id} FROM ${o} WHERE ${o.parent} = ${first} AND ${o.parent} IS NOT NULL)`;
}

export function findFile(caller: Caller, target: AttachmentTarget, id: number): Statement<FileRow | null> {
  const isHere = 'task' in target ? sql`${a.task} = ${target.task}` : sql`${a.project} = ${target.project}`;
  const versions = sql`${v} WHERE ${v.ws} = ${a.ws}
    AND ${isVersionOf(v.id, sql`coalesce(${a.parent}, ${a.id})`)}`;
  return readFirstRow(sql`
    SELECT ${fileColumns}, ${selectColumns({
      versions: withType<number>(sql`(SELECT count(*) FROM ${versions})`),
      of_others: withType<number>(
        sql`(SELECT count(*) FROM ${versions} AND ${v.uploaded_by} <> ${caller.member})`,
      ),
      owns_project: withType<number>(sql`EXISTS (SELECT 1 FROM ${p}
        WHERE ${p.id} = coalesce(${a.project}, (SELECT ${t.project} FROM ${t} WHERE ${t.id} = ${a.task}))
          AND ${p.owner} = ${caller.member})`),
    })}
    FROM ${a}
    WHERE ${a.id} = ${id} AND ${a.ws} = ${caller.workspace} AND ${isHere} AND ${isTargetVisible(caller, target)}`);
}

export function removeFile(caller: Caller, { first, versions }: FileRow, deleteAt: number): Statement[] {
  const isVersion = isVersionOf(sql`${attachments.id}`, sql`${first}`);
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(objectsToDelete, 'object_key', 'delete_at')}
      SELECT ${attachments.object_key}, ${deleteAt} FROM ${attachments} WHERE ${attachments.ws} = ${caller.workspace}
        AND ${isVersion}`),
    write(sql`
      UPDATE ${workspaceStorage} SET ${workspaceStorage.used} = ${workspaceStorage.used} - (
        SELECT coalesce(sum(${attachments.file_size}), 0) FROM ${attachments}
          WHERE ${attachments.ws} = ${caller.workspace}
          AND ${isVersion})
      WHERE ${workspaceStorage.ws} = ${caller.workspace}`),
    write(sql`DELETE FROM ${attachments} WHERE ${attachments.ws} = ${caller.workspace} AND ${isVersion}`),
    // Aborts if a version has been added since the file was read, because someone else may own that version.
    assertUnchanged(sql`changes() = ${versions}`),
  ];
}

const objectKeyColumn = selectColumns({ object_key: attachments.object_key });

export function listFileObjects(caller: Caller, { first }: FileRow): Statement<{ object_key: string }[]> {
  return readRows(sql`
    SELECT ${objectKeyColumn} FROM ${attachments}
    WHERE ${attachments.ws} = ${caller.workspace} AND ${isVersionOf(sql`${attachments.id}`, sql`${first}`)}`);
}

export function selectVersionsAsJson(caller: Caller, { first }: FileRow): SQL {
  const fields = versionColumns.map((name) => sql`${sql.raw(`'${name}'`)}, ${a[name]}`);
  return sql`
    SELECT json_group_array(json_object(${sql.join(fields, sql`, `)})) AS rows FROM ${a}
    WHERE ${a.ws} = ${caller.workspace} AND ${isVersionOf(a.id, sql`${first}`)}`;
}

export function countRestorableObjects(removed: SQL): Statement<number> {
  return readNumber(sql`
    SELECT count(*) AS objects FROM json_each((${removed})) d
    CROSS JOIN ${w} ON ${w.object_key} = d.value ->> 'object_key' AND ${w.taken} = 0`);
}

/** `rows` is the JSON of `selectVersionsAsJson`. The versions are restored with their previous ids. */
export function restoreVersions(rows: string): Statement<void> {
  const values = versionColumns.map((name) => sql.raw(`d.value ->> '${name}'`));
  return write(sql`
    INSERT INTO ${nameInsertColumns(attachments, ...versionColumns)}
    SELECT ${sql.join(values, sql`, `)} FROM json_each(${rows}) d`);
}

const versionColumns = [
  'id',
  'ws',
  'task',
  'project',
  'parent',
  'version',
  'latest',
  'file_name',
  'file_type',
  'file_size',
  's3_key',
  'object_key',
  'etag',
  'uploaded_by',
  'created_at',
] as const;
