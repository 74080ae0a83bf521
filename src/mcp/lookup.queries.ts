import { sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { inList, rows } from '../kernel/database.ts';
import { projectVisible } from '../visibility/project-visibility.queries.ts';

const FOUND_MAX = 500;

export interface PersonFound {
  id: string;
  name: string;
  email: string;
}

export interface ProjectFound {
  id: number;
  name: string;
}

/** Members whose id, email or name is one of these; names in any case. People who left are found only by their id. */
export function findPeople(caller: Caller, names: readonly string[]) {
  const emails = names.map((name) => name.toLowerCase());
  return rows<PersonFound>(sql`
    SELECT m.user_id AS id, m.name AS name, m.email AS email FROM members m
    WHERE m.ws = ${caller.workspace} AND (m.user_id IN ${inList(names)} OR m.no IN (
      SELECT am.no FROM active_members am WHERE am.ws = ${caller.workspace}
        AND (am.email_key IN ${inList(emails)} OR am.name COLLATE NOCASE IN ${inList(names)})))
    ORDER BY m.user_id LIMIT ${FOUND_MAX}`);
}

/** Visible projects with one of these names, in any case. */
export function findProjects(caller: Caller, names: readonly string[]) {
  return rows<ProjectFound>(sql`
    SELECT p.id AS id, p.name AS name FROM projects p
    WHERE p.ws = ${caller.workspace} AND p.name COLLATE NOCASE IN ${inList(names)}
      AND ${projectVisible(caller, sql`p.id`)}
    ORDER BY p.id LIMIT ${FOUND_MAX}`);
}
