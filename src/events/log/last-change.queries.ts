import type { Caller } from '../../kernel/access/access.ts';
import type { ChangeEvent } from '../../kernel/operation/snapshot.ts';
import { firstRow, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { members } from '../../schema/cell/workspaces.ts';

const e = names(events, 'e');
const m = names(members, 'm');

/** Limits how far back to look. An open page has rarely missed more events of its workspace. */
const MAX_EVENTS_READ = 300;

const authorColumns = columns({ user_id: m.user_id, name: m.name });
export type Author = Row<typeof authorColumns>;

/** Returns the person who last changed the field, or null if that was too long ago. */
export function findLastAuthor(
  { workspace }: Caller,
  { type, id, changes }: ChangeEvent,
  field: string,
): Statement<Author | null> {
  const hasField = (changes ?? [field]).map((name) => sql`${e.changes} -> ${`$.${name}`} IS NOT NULL`);
  return firstRow(sql`
    SELECT ${authorColumns}
    FROM ${e} CROSS JOIN ${m} ON ${m.no} = ${e.actor} AND ${m.ws} = ${e.ws}
    WHERE ${e.ws} = ${workspace}
      AND ${e.seq} > (SELECT max(${e.seq}) FROM ${e} WHERE ${e.ws} = ${workspace}) - ${MAX_EVENTS_READ}
      AND ${e.type} = ${type} AND coalesce(${e.entity}, ${e.task}, ${e.project}) IS ${id ?? null}
      AND (${sql.join(hasField, sql` OR `)})
    ORDER BY ${e.seq} DESC LIMIT 1`);
}
