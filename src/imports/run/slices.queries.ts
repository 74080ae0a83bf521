import { assertUnchanged, readNumber, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { importedTasks, imports } from '../../schema/cell/imports.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';
import { newestTask } from '../../tasks/model/selection.queries.ts';
import { isLimitedReader } from '../../tasks/visibility/project-visibility.queries.ts';
import { REPORT_LIFETIME_MS } from '../model/imports.schema.ts';

const a = aliasTable(activeMembers, 'a');
const c = aliasTable(credentials, 'c');
const i = aliasTable(imports, 'i');
const o = aliasTable(imports, 'o');
const n = aliasTable(tasks, 'n');
const p = aliasTable(projects, 'p');
const w = aliasTable(workspaces, 'w');

export function hasRunningImports() {
  return sql`EXISTS (SELECT 1 FROM ${i} INDEXED BY imports_running WHERE ${i.status} = 'running')`;
}

/** An import that was started in the web app has no credential, so signing out doesn't end it. */
const isCredentialActive = (now: number) => sql`(${i.credential} IS NULL OR EXISTS (
    SELECT 1 FROM ${c} WHERE ${c.id} = ${i.credential} AND ${c.ws} = ${i.ws} AND ${c.revoked_at} IS NULL
      AND coalesce(${c.expires_at} > ${now}, 1)))`;

const selectRunningColumns = (now: number) =>
  selectColumns({
    id: i.id,
    ws: i.ws,
    project: i.project,
    member: i.member,
    via: i.via,
    credential: i.credential,
    object_key: i.object_key,
    etag: i.etag,
    source: i.source,
    options: i.options,
    made: i.made,
    failures: i.failures,
    timezone: w.timezone,
    is_credential_active: withType<number>(isCredentialActive(now)),
  });
export type RunningImport = Row<ReturnType<typeof selectRunningColumns>>;

/** Returns the oldest running import of each workspace, least recently continued first, so that all take turns. */
export function listRunningImports(now: number, limit: number): Statement<RunningImport[]> {
  return readRows(sql`
    SELECT ${selectRunningColumns(now)} FROM ${i} INDEXED BY imports_running CROSS JOIN ${w} ON ${w.no} = ${i.ws}
    WHERE ${i.status} = 'running' AND NOT EXISTS (
      SELECT 1 FROM ${o} INDEXED BY imports_running
      WHERE ${o.ws} = ${i.ws} AND ${o.status} = 'running' AND ${o.id} < ${i.id})
    ORDER BY ${i.continued_at}, ${i.id} LIMIT ${limit}`);
}

export function listRunningImport(now: number, id: number): Statement<RunningImport[]> {
  return readRows(sql`
    SELECT ${selectRunningColumns(now)} FROM ${i} CROSS JOIN ${w} ON ${w.no} = ${i.ws}
    WHERE ${i.id} = ${id} AND ${i.status} = 'running'`);
}

/**
 * Aborts the batch if the import was canceled, if another run has continued it, or if the person may no longer import
 * into the project with the credential that started the import.
 */
export function assertImportRunning(
  { id, ws, project, member }: RunningImport,
  made: number,
  now: number,
): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${i} WHERE ${i.id} = ${id} AND ${i.ws} = ${ws} AND ${i.status} = 'running' AND ${i.made} = ${made}
      AND ${isCredentialActive(now)})
    AND EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.id} = ${project})
    AND EXISTS (SELECT 1 FROM ${a} WHERE ${a.no} = ${member} AND ${a.ws} = ${ws} AND NOT ${isLimitedReader(a, 'importTasks')})`);
}

/** Must run after the statements that insert the tasks. `keys` identify the new tasks in the source, in order. */
export function recordImportedTasks(
  { id, ws, project, source }: RunningImport,
  keys: readonly string[],
): Statement<void>[] {
  const first = withType<number>(sql`(SELECT max(${n.id}) FROM ${n}) - ${keys.length} + 1`);
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(importedTasks, 'ws', 'project', 'source', 'external_id', 'task', 'import')}
      SELECT ${ws}, ${project}, ${source}, d.value, ${first} + d.key, ${id} FROM json_each(${JSON.stringify(keys)}) d`),
    write(sql`
      UPDATE ${imports} SET ${imports.made} = ${imports.made} + ${keys.length}, ${imports.failures} = 0
      WHERE ${imports.ws} = ${ws} AND ${imports.id} = ${id}`),
  ];
}

/** Tasks that another import created at the same time are counted as existing. */
export function completeImport({ id, ws }: RunningImport, now: number): Statement<void> {
  return write(sql`
    UPDATE ${imports} SET ${imports.status} = 'completed', ${imports.existing} = ${imports.total} - ${imports.made},
      ${imports.finished_at} = ${now}, ${imports.expires_at} = ${now + REPORT_LIFETIME_MS}, ${imports.version} = ${imports.version} + 1
    WHERE ${imports.ws} = ${ws} AND ${imports.id} = ${id} AND ${imports.status} = 'running'`);
}

export function failImport({ id, ws }: RunningImport, problem: string, now: number): Statement<void> {
  return write(sql`
    UPDATE ${imports} SET ${imports.status} = 'failed', ${imports.problem} = ${problem},
      ${imports.finished_at} = ${now}, ${imports.expires_at} = ${now + REPORT_LIFETIME_MS}, ${imports.version} = ${imports.version} + 1
    WHERE ${imports.ws} = ${ws} AND ${imports.id} = ${id} AND ${imports.status} = 'running'`);
}

/** Counts the run as failed until it has created a slice of tasks. */
export function recordRunStart({ id, ws }: RunningImport, now: number): Statement<void> {
  return write(sql`
    UPDATE ${imports} SET ${imports.failures} = ${imports.failures} + 1, ${imports.continued_at} = ${now}
    WHERE ${imports.ws} = ${ws} AND ${imports.id} = ${id}`);
}

/** `places` are positions among the last `count` tasks that the batch has inserted. */
export function selectNewTaskIds(count: number, places: readonly number[]): SQL {
  return sql`SELECT ${newestTask} - ${count} + 1 + j.value FROM json_each(${JSON.stringify(places)}) j`;
}

export function findNewestTask(): Statement<number> {
  return readNumber(sql`SELECT ${newestTask} AS id`);
}
