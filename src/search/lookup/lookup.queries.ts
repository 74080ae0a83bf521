import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readRows } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';

const am = aliasTable(activeMembers, 'am');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');

const MATCHES_MAX = 500;

const foundPersonColumns = selectColumns({ id: m.user_id, name: m.name, email: m.email });
export type FoundPerson = Row<typeof foundPersonColumns>;

const foundProjectColumns = selectColumns({ id: p.id, name: p.name });
export type FoundProject = Row<typeof foundProjectColumns>;

// A lookup by name reads all people or all projects. If there are no names to find, the first condition is false, and
// no rows are read.

/** Finds people by id, email or name, ignoring case. Former members are found only by id. */
export function findPeople(caller: Caller, names: readonly string[]) {
  const emails = names.map((name) => name.toLowerCase());
  return readRows(sql`
    SELECT ${foundPersonColumns} FROM ${m}
    WHERE ${names.length} > 0 AND ${m.ws} = ${caller.workspace} AND (${m.user_id} IN ${buildInList(names)} OR ${m.no} IN (
      SELECT ${am.no} FROM ${am} WHERE ${am.ws} = ${caller.workspace}
        AND (${am.email_key} IN ${buildInList(emails)} OR ${am.name} COLLATE NOCASE IN ${buildInList(names)})))
    ORDER BY ${m.user_id} LIMIT ${MATCHES_MAX}`);
}

export function findProjects(caller: Caller, names: readonly string[]) {
  return readRows(sql`
    SELECT ${foundProjectColumns} FROM ${p}
    WHERE ${names.length} > 0 AND ${p.ws} = ${caller.workspace} AND ${p.name} COLLATE NOCASE IN ${buildInList(names)}
      AND ${isProjectVisible(caller, p.id)}
    ORDER BY ${p.id} LIMIT ${MATCHES_MAX}`);
}

export function findProjectsByIds(caller: Caller, ids: readonly number[]) {
  return readRows(sql`
    SELECT ${foundProjectColumns} FROM ${p}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN ${buildInList(ids)} AND ${isProjectVisible(caller, p.id)}`);
}

export const SIMILAR_MATCHES_MAX = 50;

const similarPeopleColumns = selectColumns({ id: am.user_id, name: am.name, email: am.email });

/** Ignores case only for the letters A to Z. */
export function findSimilarPeople(caller: Caller, texts: readonly string[]) {
  return readRows(sql`
    SELECT ${similarPeopleColumns} FROM ${am}
    WHERE ${texts.length} > 0 AND ${am.ws} = ${caller.workspace}
      AND (${containsAnyOf(am.name, texts)} OR ${containsAnyOf(am.email, texts)})
    ORDER BY ${am.name}, ${am.user_id} LIMIT ${SIMILAR_MATCHES_MAX}`);
}

export function findSimilarProjects(caller: Caller, texts: readonly string[]) {
  return readRows(sql`
    SELECT ${foundProjectColumns} FROM ${p}
    WHERE ${texts.length} > 0 AND ${p.ws} = ${caller.workspace} AND ${containsAnyOf(p.name, texts)} AND ${isProjectVisible(caller, p.id)}
    ORDER BY ${p.id} DESC LIMIT ${SIMILAR_MATCHES_MAX}`);
}

function containsAnyOf(column: SQL, texts: readonly string[]): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(texts)}) d
    WHERE instr(lower(${column}), lower(d.value)) > 0)`;
}
