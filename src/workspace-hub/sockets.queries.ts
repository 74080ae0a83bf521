import { sql } from 'drizzle-orm';
import { inList, rows, type Statement } from '../kernel/database.ts';

/** What a page needs to know of an event to see whether it shows something of it. */
export interface ToldEvent {
  seq: number;
  project: number | null;
  /** The membership that alone sees it. */
  reader: number | null;
}

/** The newest events behind `after`, newest first. */
export function listNewest(ws: number, after: number, limit: number): Statement<ToldEvent[]> {
  return rows<ToldEvent>(sql`
    SELECT e.seq AS seq, e.project AS project, e.reader AS reader FROM events e
    WHERE e.ws = ${ws} AND e.seq > ${after} ORDER BY e.seq DESC LIMIT ${limit}`);
}

export interface PresentMember {
  no: number;
  version: number;
}

/** Those of the people who are still in the workspace. */
export function listPresentMembers(ws: number, members: readonly number[]): Statement<PresentMember[]> {
  return rows<PresentMember>(sql`
    SELECT m.no AS no, m.version AS version FROM active_members m
    WHERE m.ws = ${ws} AND m.no IN ${inList(members)}`);
}

export function listProjectsOf(members: readonly number[]): Statement<{ member: number; project: number }[]> {
  return rows(sql`
    SELECT pm.member AS member, pm.project AS project FROM project_members pm WHERE pm.member IN ${inList(members)}`);
}
