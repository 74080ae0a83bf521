import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';

/** Clients see the projects they created or joined, others the workspace (docs/contract.md#who-sees-what). */
export function seesWholeWorkspace(caller: Caller): boolean {
  return caller.role !== 'client';
}

/** Condition: the caller created or joined the project. The owner has a row in `project_members` too. */
export function joined(caller: Caller, project: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM project_members pm WHERE pm.project = ${project} AND pm.member = ${caller.member})`;
}

/** Condition on a project: may the member `reader`, a row of its workspace, see it? */
export function projectVisibleTo(reader: SQL, project: SQL): SQL {
  return sql`(${reader}.role <> 'client' OR EXISTS (
    SELECT 1 FROM project_members vp WHERE vp.project = ${project} AND vp.member = ${reader}.no))`;
}

/** Condition on a project of the caller's own workspace: may the caller see it? */
export function projectVisible(caller: Caller, project: SQL): SQL {
  return seesWholeWorkspace(caller) ? sql`1` : joined(caller, project);
}
