import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { newProjectColumns } from './project-columns.schema.ts';

const m = aliasTable(activeMembers, 'm');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');

const projectColumns = selectColumns({
  id: p.id,
  name: p.name,
  description: p.description,
  status: p.status,
  owner: p.owner,
  owner_id: o.user_id,
  version: p.version,
});
export type ProjectState = Row<typeof projectColumns>;

export function findProjectState(caller: Caller, id: number): Statement<ProjectState | null> {
  return readFirstRow(sql`
    SELECT ${projectColumns}
    FROM ${p} CROSS JOIN ${o} ON ${o.no} = ${p.owner}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${id} AND ${isProjectVisible(caller, p.id)}`);
}

export const assertProjectVersion = prepared.assertUnchanged(
  (caller: Argument<Caller>, { id, version }: Argument<Pick<ProjectState, 'id' | 'version'>>) =>
    hasRow(
      projects,
      and(eq(projects.ws, caller.workspace), eq(projects.id, id), eq(projects.version, version)),
    ),
);

/** Must run after the insert in the same batch, so that the new project is counted. */
export function assertProjectsMax({ workspace }: Caller, max: number): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${p} WHERE ${p.ws} = ${workspace}) <= ${max}`,
    invalidRequestError(
      `A workspace can have up to ${max} projects. Ask an owner or admin to delete a finished project.`,
    ),
  );
}

export const newestProjectId = sql`(SELECT max(${projects.id}) FROM ${projects})`;

export interface ProjectDraft {
  name: string;
  description: string | null;
  status: string;
}

interface ProjectSettings {
  task_columns: string | null;
  field_ids: string | null;
}

const insertDraft = prepared.write(
  (
    caller: Argument<Caller>,
    { name, description, status, task_columns, field_ids }: Argument<ProjectDraft & ProjectSettings>,
    now: Argument<number>,
  ) =>
    query.insert(projects).values({
      name,
      description,
      status,
      task_columns,
      field_ids,
      ws: caller.workspace,
      owner: caller.member,
      created_at: now,
    }),
);

const insertFirstMember = prepared.write((caller: Argument<Caller>) =>
  query.insert(projectMembers).values({ project: newestProjectId, member: caller.member }),
);

export function insertProject(
  caller: Caller,
  draft: ProjectDraft,
  now: number,
  setup: ProjectSettings = { task_columns: newProjectColumns, field_ids: null },
): Statement<void>[] {
  return [insertDraft(caller, { ...draft, ...setup }, now), insertFirstMember(caller)];
}

export type ProjectChanges = Partial<ProjectDraft & { owner: number; task_columns: string }>;

export function updateProject(caller: Caller, id: number, changes: ProjectChanges): Statement<void> {
  const set = Object.entries(changes).map(([column, value]) => sql`${sql.raw(column)} = ${value}`);
  return write(sql`
    UPDATE ${projects} SET ${sql.join(set, sql`, `)}, ${projects.version} = ${projects.version} + 1
    WHERE ${projects.ws} = ${caller.workspace} AND ${projects.id} = ${id}`);
}

const memberCandidateColumns = selectColumns({
  no: m.no,
  user_id: m.user_id,
  role: m.role,
});
export type MemberCandidate = Row<typeof memberCandidateColumns> & {
  is_in: 0 | 1;
};

export function findMemberCandidates(
  caller: Caller,
  project: number,
  userIds: readonly string[],
): Statement<MemberCandidate[]> {
  return readRows(sql`
    SELECT ${memberCandidateColumns}, ${selectColumns({
      is_in: withType<0 | 1>(sql`EXISTS (
      SELECT 1 FROM ${pm} WHERE ${pm.project} = ${project} AND ${pm.member} = ${m.no})`),
    })}
    FROM ${m} WHERE ${m.ws} = ${caller.workspace} AND ${m.user_id} IN ${buildInList(userIds)}`);
}

/** `members` contains member numbers. The unary plus keeps SQLite from reading every member of the workspace. */
function buildPeopleFromClause(members: readonly number[], ws: SQL): SQL {
  return sql`${m} WHERE ${m.no} IN ${buildInList(members)} AND +${m.ws} = ${ws}`;
}

/**
 * Aborts the batch unless all these people are in the workspace and, depending on `areIn`, all or none are in the
 * project.
 */
export function assertProjectMembershipUnchanged(
  caller: Caller,
  project: number,
  members: readonly number[],
  areIn: boolean,
): Statement<void> {
  const isIn = sql`EXISTS (SELECT 1 FROM ${pm} WHERE ${pm.project} = ${project} AND ${pm.member} = ${m.no})`;
  return assertUnchanged(sql`(
    SELECT count(*) FROM ${buildPeopleFromClause(members, sql`${caller.workspace}`)}
    AND ${areIn ? isIn : sql`NOT ${isIn}`}) = ${members.length}`);
}

export function insertProjectMembers(project: number, members: readonly number[]): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(projectMembers, 'project', 'member')}
    SELECT ${p.id}, ${m.no} FROM ${p} CROSS JOIN ${buildPeopleFromClause(members, sql`${p.ws}`)} AND ${p.id} = ${project}
    ON CONFLICT DO NOTHING`);
}

export const deleteProjectMember = prepared.write((project: Argument<number>, member: Argument<number>) =>
  query
    .delete(projectMembers)
    .where(and(eq(projectMembers.project, project), eq(projectMembers.member, member))),
);
