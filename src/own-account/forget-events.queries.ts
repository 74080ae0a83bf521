import { sql } from 'drizzle-orm';
import { number, type Statement, write } from '../kernel/database.ts';
import type { Forgotten } from './settle-people.queries.ts';

/**
 * Takes the name of a deleted person out of the next events of a workspace, which tell it where a task was given to them.
 * The first answers how many events were looked at; the last ends the work where there were none.
 */
export function forgetInEvents({ member, ws }: Forgotten, events: number): Statement[] {
  const position = sql`(SELECT f.position FROM forgotten_members f WHERE f.member = ${member})`;
  const next = sql`
    SELECT e.seq FROM events e WHERE e.ws = ${ws} AND e.seq > ${position} ORDER BY e.seq LIMIT ${events}`;
  const person = sql`(SELECT m.user_id FROM members m WHERE m.no = ${member})`;
  const name = sql`(SELECT m.name FROM members m WHERE m.no = ${member})`;
  const forgetAt = (side: 'from' | 'to') => {
    const path = (field: string) => sql.raw(`'$.assignee.${side}.${field}'`);
    return write(sql`
      UPDATE events SET changes = json_set(changes, ${path('name')}, ${name})
      WHERE ws = ${ws} AND seq IN (${next}) AND json_extract(changes, ${path('id')}) = ${person}`);
  };
  return [
    number(sql`SELECT count(*) AS n FROM (${next})`),
    forgetAt('from'),
    forgetAt('to'),
    write(sql`DELETE FROM forgotten_members WHERE member = ${member} AND NOT EXISTS (${next})`),
    write(sql`
      UPDATE forgotten_members SET position = (SELECT max(x.seq) FROM (${next}) x)
      WHERE member = ${member} AND EXISTS (${next})`),
  ];
}
