import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../../tasks/visibility/task-visibility.queries.ts';

const a = aliasTable(attachments, 'a');
const m = aliasTable(members, 'm');
const o = aliasTable(attachments, 'o');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

export type AttachmentTarget = { readonly task: number } | { readonly project: number };

const attachmentColumns = selectColumns({
  id: a.id,
  task: a.task,
  project: a.project,
  parent: a.parent,
  version: a.version,
  file_name: a.file_name,
  file_type: a.file_type,
  file_size: a.file_size,
  s3_key: a.s3_key,
  object_key: a.object_key,
  etag: a.etag,
  created_at: a.created_at,
  uploader_id: m.user_id,
  uploader_name: m.name,
  uploader_email: m.email,
});
export type AttachmentRow = Row<typeof attachmentColumns>;

const uploaderJoin = sql`CROSS JOIN ${m} ON ${m.no} = ${a.uploaded_by}`;

function isListedOn(target: AttachmentTarget): SQL {
  return 'task' in target
    ? sql`${a.task} = ${target.task} AND ${a.task} IS NOT NULL AND ${a.latest} = 1`
    : sql`${a.project} = ${target.project} AND ${a.project} IS NOT NULL`;
}

export function isTargetVisible(caller: Caller, target: AttachmentTarget): SQL {
  return 'task' in target
    ? sql`EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${target.task} AND ${isTaskVisible(t, caller)})`
    : sql`EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${target.project}
        AND ${isProjectVisible(caller, p.id)})`;
}

export function readTargetVisibility(caller: Caller, target: AttachmentTarget): Statement<number> {
  return readNumber(sql`SELECT ${isTargetVisible(caller, target)} AS visible`);
}

/** For a task, lists only the latest version of each file. */
export function listAttachments(
  caller: Caller,
  target: AttachmentTarget,
  range: PageRange,
): Statement<AttachmentRow[]> {
  return readRows(sql`
    SELECT ${attachmentColumns} FROM ${a} ${uploaderJoin}
    WHERE ${a.ws} = ${caller.workspace} AND ${isListedOn(target)}
      AND ${isAfter(range, [{ column: a.id, isDescending: true }])}
    ORDER BY ${a.id} DESC ${buildLimit(range)}`);
}

/** Returns -1 if the caller can't see the target. */
export function countAttachments(caller: Caller, target: AttachmentTarget): Statement<number> {
  return readNumber(sql`
    SELECT CASE WHEN ${isTargetVisible(caller, target)}
      THEN (SELECT count(*) FROM ${a} WHERE ${isListedOn(target)}) ELSE -1 END AS total`);
}

export function findAttachment(
  caller: Caller,
  target: AttachmentTarget,
  id: number,
): Statement<AttachmentRow | null> {
  const place = 'task' in target ? sql`${a.task} = ${target.task}` : sql`${a.project} = ${target.project}`;
  return readFirstRow(sql`
    SELECT ${attachmentColumns} FROM ${a} ${uploaderJoin}
    WHERE ${a.id} = ${id} AND ${a.ws} = ${caller.workspace} AND ${place} AND ${isTargetVisible(caller, target)}`);
}

export function findAttachmentByKey(caller: Caller, s3Key: string): Statement<AttachmentRow | null> {
  return readFirstRow(sql`
    SELECT ${attachmentColumns} FROM ${a} ${uploaderJoin}
    WHERE ${a.s3_key} = ${s3Key} AND ${a.ws} = ${caller.workspace} AND (
      EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${a.task} AND ${isTaskVisible(t, caller)})
      OR EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${a.project} AND ${p.ws} = ${caller.workspace}
        AND ${isProjectVisible(caller, p.id)}))`);
}

const firstVersionColumn = selectColumns({ id: withType<number>(sql`coalesce(${a.parent}, ${a.id})`) });

export function findFirstVersion(
  caller: Caller,
  task: number,
  id: number | null,
): Statement<{ id: number } | null> {
  return readFirstRow(sql`
    SELECT ${firstVersionColumn} FROM ${a}
    WHERE ${a.id} = ${id} AND ${a.ws} = ${caller.workspace} AND ${a.task} = ${task}`);
}

export interface AttachmentDraft {
  target: AttachmentTarget;
  parent: number | null;
  fileName: string;
  fileType: string;
  fileSize: number;
  s3Key: string;
  objectKey: string;
  etag: string;
}

export const newestAttachmentId = sql`(SELECT max(${attachments.id}) FROM ${attachments})`;

interface AttachmentValues extends Omit<AttachmentDraft, 'target'> {
  task: number | null;
  project: number | null;
}

const insertVersion = prepared.write(
  (caller: Argument<Caller>, draft: Argument<AttachmentValues>, now: Argument<number>) =>
    query.insert(attachments).values({
      ws: caller.workspace,
      task: draft.task,
      project: draft.project,
      parent: draft.parent,
      version: sql`iif(${draft.parent} IS NULL, 1,
        coalesce((SELECT max(${o.version}) FROM ${o} WHERE ${o.parent} = ${draft.parent}), 1) + 1)`,
      file_name: draft.fileName,
      file_type: draft.fileType,
      file_size: draft.fileSize,
      s3_key: draft.s3Key,
      object_key: draft.objectKey,
      etag: draft.etag,
      uploaded_by: caller.member,
      created_at: now,
    }),
);

export function insertAttachment(caller: Caller, draft: AttachmentDraft, now: number): Statement<void>[] {
  const { parent, target } = draft;
  const task = 'task' in target ? target.task : null;
  const project = 'project' in target ? target.project : null;
  return [
    ...(parent === null ? [] : markVersionsSuperseded(caller, parent)),
    insertVersion(caller, { ...draft, task, project }, now),
  ];
}

function markVersionsSuperseded(caller: Caller, first: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${attachments} SET ${attachments.latest} = 0 WHERE ${attachments.ws} = ${caller.workspace}
        AND ${attachments.latest} = 1 AND ${attachments.id} IN (
        SELECT ${first} UNION ALL SELECT ${o.id} FROM ${o} WHERE ${o.parent} = ${first}
          AND ${o.parent} IS NOT NULL)`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

export function assertProjectVisible(caller: Caller, project: number): Statement<void> {
  return assertUnchanged(isTargetVisible(caller, { project }));
}
