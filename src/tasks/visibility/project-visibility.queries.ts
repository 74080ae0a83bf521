import type { Caller } from '../../kernel/access/access.ts';
import { type Capability, capabilities, getReach } from '../../kernel/access/capabilities.ts';
import { roles } from '../../kernel/access/roles.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { projectMembers } from '../../schema/cell/projects.ts';

const pm = aliasTable(projectMembers, 'pm');
const vp = aliasTable(projectMembers, 'vp');

/** Also true for the project lead, who has a row in `project_members` too. */
export function hasJoinedProject(caller: Caller, project: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${pm} WHERE ${pm.project} = ${project} AND ${pm.member} = ${caller.member})`;
}

export type ReaderAlias = Readonly<Record<'no' | 'role', SQL>>;

export function isLimitedReader(reader: Pick<ReaderAlias, 'role'>, capability: Capability): SQL {
  return sql`NOT ${hasUnlimitedRole(reader, capability)}`;
}

function hasUnlimitedRole(reader: Pick<ReaderAlias, 'role'>, capability: Capability): SQL {
  // Compares each role separately, because SQLite treats a list as a table and counts each lookup as a row read.
  const isNoLimitedRole = roles
    .filter((role) => capabilities[capability][role] !== 'all')
    .map((role) => sql` AND ${reader.role} <> ${sql.raw(`'${role}'`)}`);
  return sql`(true${sql.join(isNoLimitedRole)})`;
}

export function canReachProject(reader: ReaderAlias, capability: Capability, project: SQL): SQL {
  return sql`(${hasUnlimitedRole(reader, capability)} OR EXISTS (
    SELECT 1 FROM ${vp} WHERE ${vp.project} = ${project} AND ${vp.member} = ${reader.no}))`;
}

/** `reader` must be a member of the project's workspace. */
export function isProjectVisibleTo(reader: ReaderAlias, project: SQL): SQL {
  return canReachProject(reader, 'seeProjects', project);
}

export function isProjectVisible(caller: Caller, project: SQL): SQL {
  return getReach(caller, 'seeProjects') === 'all' ? sql`1` : hasJoinedProject(caller, project);
}
