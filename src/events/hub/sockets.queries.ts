import { inList, rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const e = names(events, 'e');
const m = names(activeMembers, 'm');
const pm = names(projectMembers, 'pm');

const socketEventColumns = columns({ seq: e.seq, project: e.project, reader: e.reader });
export type SocketEvent = Row<typeof socketEventColumns>;

/** Lists the newest events first. */
export function listNewestEvents(ws: number, after: number, limit: number): Statement<SocketEvent[]> {
  return rows(sql`
    SELECT ${socketEventColumns} FROM ${e}
    WHERE ${e.ws} = ${ws} AND ${e.seq} > ${after} ORDER BY ${e.seq} DESC LIMIT ${limit}`);
}

const presentMemberColumns = columns({ no: m.no, version: m.version, role: m.role });
export type PresentMember = Row<typeof presentMemberColumns>;

export function listPresentMembers(ws: number, members: readonly number[]): Statement<PresentMember[]> {
  return rows(sql`
    SELECT ${presentMemberColumns} FROM ${m}
    WHERE ${m.ws} = ${ws} AND ${m.no} IN ${inList(members)}`);
}

const memberProjectColumns = columns({ member: pm.member, project: pm.project });

export function listChangedProjects(
  ws: number,
  members: readonly number[],
  after: number,
  limit: number,
): Statement<{ member: number; project: number }[]> {
  return rows(sql`
    SELECT ${memberProjectColumns} FROM (
      SELECT DISTINCT project FROM (SELECT ${e.project} AS project FROM ${e}
        WHERE ${e.ws} = ${ws} AND ${e.seq} > ${after} ORDER BY ${e.seq} DESC LIMIT ${limit})) changed
    CROSS JOIN ${pm} ON ${pm.project} = changed.project AND ${pm.member} IN ${inList(members)}`);
}
