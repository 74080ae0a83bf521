import type { Caller } from '../../kernel/access/access.ts';
import type { ChangeEvent } from '../../kernel/operation/snapshot.ts';
import { readFirstRow, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { members } from '../../schema/cell/workspaces.ts';

const e = aliasTable(events, 'e');
const m = aliasTable(members, 'm');

/** Only the newest events are searched, because an open page rarely misses more. */
const EVENTS_READ_MAX = 300;

const authorColumns = selectColumns({ user_id: m.user_id, name: m.name });
export type ChangeAuthor = Row<typeof authorColumns>;

export function findLastChangeAuthor(
  { workspace }: Caller,
  { type, id, named, changes }: ChangeEvent,
  field: string,
): Statement<ChangeAuthor | null> {
  const hasField = (changes ?? [field]).map((name) => sql`${e.changes} -> ${`$.${name}`} IS NOT NULL`);
  const isNamed = named === undefined ? sql`` : sql`AND ${e.changes} ->> '$.name.to' = ${named}`;
  return readFirstRow(sql`
    SELECT ${authorColumns}
    FROM ${e} CROSS JOIN ${m} ON ${m.no} = ${e.actor} AND ${m.ws} = ${e.ws}
    WHERE ${e.ws} = ${workspace}
      AND ${e.seq} > (SELECT max(${e.seq}) FROM ${e} WHERE ${e.ws} = ${workspace}) - ${EVENTS_READ_MAX}
      AND ${e.type} = ${type} AND coalesce(${e.entity}, ${e.task}, ${e.project}) IS ${id ?? null}
      ${isNamed} AND (${sql.join(hasField, sql` OR `)})
    ORDER BY ${e.seq} DESC LIMIT 1`);
}
