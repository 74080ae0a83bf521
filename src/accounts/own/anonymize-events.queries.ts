import { readNumber, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { forgottenMembers } from '../../schema/cell/departures.ts';
import { events } from '../../schema/cell/events.ts';
import { members } from '../../schema/cell/workspaces.ts';
import type { ForgottenMember } from './copy-people.queries.ts';

const e = aliasTable(events, 'e');
const x = aliasTable(auditEntries, 'x');
const f = aliasTable(forgottenMembers, 'f');
const m = aliasTable(members, 'm');

/**
 * Removes a deleted person's name from a slice of events, and their IP addresses and user agents from a slice of the
 * audit log. The first statement returns the total number of rows in both slices.
 */
export function anonymizeEventSlice({ member, ws }: ForgottenMember, limit: number): Statement[] {
  const position = sql`(SELECT ${f.position} FROM ${f} WHERE ${f.member} = ${member})`;
  const next = sql`
    SELECT ${e.seq} FROM ${e} WHERE ${e.ws} = ${ws} AND ${e.seq} > ${position} ORDER BY ${e.seq} LIMIT ${limit}`;
  const traced = sql`
    SELECT ${x.id} FROM ${x} WHERE ${x.ws} = ${ws} AND ${x.actor} = ${member}
      AND (${x.ip} IS NOT NULL OR ${x.user_agent} IS NOT NULL) LIMIT ${limit}`;
  const person = sql`(SELECT ${m.user_id} FROM ${m} WHERE ${m.no} = ${member})`;
  const name = sql`(SELECT ${m.name} FROM ${m} WHERE ${m.no} = ${member})`;
  const replaceAssigneeName = (side: 'from' | 'to') => {
    const toJsonPath = (field: string) => sql.raw(`'$.assignee.${side}.${field}'`);
    return write(sql`
      UPDATE ${events} SET ${events.changes} = json_set(${events.changes}, ${toJsonPath('name')}, ${name})
      WHERE ${events.ws} = ${ws} AND ${events.seq} IN (${next})
        AND json_extract(${events.changes}, ${toJsonPath('id')}) = ${person}`);
  };
  const replaceNameInAssignees = (side: 'from' | 'to') => {
    const people = sql.raw(`'$.assignees.${side}'`);
    const isPerson = sql`g.value ->> 'id' = ${person}`;
    return write(sql`
      UPDATE ${events} SET ${events.changes} = json_set(${events.changes}, ${people}, (
        SELECT json_group_array(iif(${isPerson}, json_set(g.value, '$.name', ${name}), json(g.value)) ORDER BY g.key)
        FROM json_each(${events.changes}, ${people}) g))
      WHERE ${events.ws} = ${ws} AND ${events.seq} IN (${next})
        AND EXISTS (SELECT 1 FROM json_each(${events.changes}, ${people}) g WHERE ${isPerson})`);
  };
  return [
    readNumber(sql`SELECT (SELECT count(*) FROM (${next})) + (SELECT count(*) FROM (${traced})) AS n`),
    write(sql`
      UPDATE ${auditEntries} SET ${auditEntries.ip} = NULL, ${auditEntries.user_agent} = NULL
      WHERE ${auditEntries.id} IN (${traced})`),
    replaceAssigneeName('from'),
    replaceAssigneeName('to'),
    replaceNameInAssignees('from'),
    replaceNameInAssignees('to'),
    write(
      sql`DELETE FROM ${forgottenMembers} WHERE ${forgottenMembers.member} = ${member} AND NOT EXISTS (${next})
        AND NOT EXISTS (${traced})`,
    ),
    write(sql`
      UPDATE ${forgottenMembers} SET ${forgottenMembers.position} = (SELECT max(l.seq) FROM (${next}) l)
      WHERE ${forgottenMembers.member} = ${member} AND EXISTS (${next})`),
  ];
}
