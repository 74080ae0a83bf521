import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { intakeForms } from '../../schema/cell/sharing.ts';
import { workspaceDeletions } from '../../schema/cell/workspace-deletions.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { SUBMISSIONS_PER_DAY_MAX } from './intake-forms.schema.ts';

const a = aliasLeftJoinedTable(members, 'a');
const am = aliasTable(activeMembers, 'am');
const d = aliasTable(projectDeletions, 'd');
const i = aliasTable(intakeForms, 'i');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const w = aliasTable(workspaces, 'w');
const wd = aliasTable(workspaceDeletions, 'wd');

const formColumns = selectColumns({
  project: i.project,
  hash: i.hash,
  nonce: i.nonce,
  greeting: i.greeting,
  tag: i.tag,
  assignee: i.assignee,
  assignee_id: a.user_id,
  creator_name: m.name,
  created_at: i.created_at,
  last_used_at: i.last_used_at,
  version: i.version,
});
export type IntakeFormRow = Row<typeof formColumns>;

export function findForm({ workspace }: Caller, project: number): Statement<IntakeFormRow | null> {
  return readFirstRow(sql`
    SELECT ${formColumns} FROM ${i} CROSS JOIN ${m} ON ${m.no} = ${i.creator}
    LEFT JOIN ${a} ON ${a.no} = ${i.assignee}
    WHERE ${i.ws} = ${workspace} AND ${i.project} = ${project}`);
}

export const assertFormVersion = prepared.assertUnchanged(
  (
    { workspace }: Argument<Caller>,
    { project, version }: Argument<Pick<IntakeFormRow, 'project' | 'version'>>,
  ) =>
    hasRow(
      intakeForms,
      and(eq(intakeForms.ws, workspace), eq(intakeForms.project, project), eq(intakeForms.version, version)),
    ),
);

export function assertNoForm({ workspace }: Caller, project: number): Statement<void> {
  return assertUnchanged(
    sql`NOT EXISTS (SELECT 1 FROM ${i} WHERE ${i.ws} = ${workspace} AND ${i.project} = ${project})`,
  );
}

interface FormSettings {
  readonly project: number;
  readonly greeting: string | null;
  readonly tag: string | null;
  readonly assignee: number | null;
}

export const insertForm = prepared.write(
  (
    { workspace, member }: Argument<Caller>,
    {
      project,
      greeting,
      tag,
      assignee,
      hash,
      nonce,
    }: Argument<FormSettings & { readonly hash: string; readonly nonce: string }>,
    now: Argument<number>,
  ) =>
    query.insert(intakeForms).values({
      ws: workspace,
      project,
      greeting,
      tag,
      assignee,
      hash,
      nonce,
      creator: member,
      created_at: now,
    }),
);

export const updateForm = prepared.write(
  ({ workspace }: Argument<Caller>, { project, greeting, tag, assignee }: Argument<FormSettings>) =>
    query
      .update(intakeForms)
      .set({ greeting, tag, assignee, version: sql`${intakeForms.version} + 1` })
      .where(and(eq(intakeForms.ws, workspace), eq(intakeForms.project, project))),
);

export const deleteForm = prepared.write(({ workspace }: Argument<Caller>, project: Argument<number>) =>
  query.delete(intakeForms).where(and(eq(intakeForms.ws, workspace), eq(intakeForms.project, project))),
);

/** Selects null if the assignee has left the project. */
function selectCurrentAssignee(form: Readonly<Record<'ws' | 'project' | 'assignee', SQL>>): SQL {
  return sql`(
    SELECT ${am.no} FROM ${am} CROSS JOIN ${pm} ON ${pm.project} = ${form.project} AND ${pm.member} = ${am.no}
    WHERE ${am.no} = ${form.assignee} AND ${am.ws} = ${form.ws})`;
}

const openFormColumns = selectColumns({
  project: i.project,
  ws: i.ws,
  greeting: i.greeting,
  tag: i.tag,
  sent_on: i.sent_on,
  sent: i.sent,
  version: i.version,
  project_name: p.name,
  status: p.status,
  owner: p.owner,
  assignee: withType<number | null>(selectCurrentAssignee(i)),
  workspace_id: w.id,
  workspace_name: w.name,
  plan: w.plan,
  timezone: w.timezone,
});
export type OpenFormRow = Row<typeof openFormColumns>;

/** Returns null if the project or the workspace is being deleted. */
export function findFormByHash(hash: string): Statement<OpenFormRow | null> {
  return readFirstRow(sql`
    SELECT ${openFormColumns} FROM ${i} CROSS JOIN ${w} ON ${w.no} = ${i.ws}
    CROSS JOIN ${p} ON ${p.id} = ${i.project} AND ${p.ws} = ${i.ws}
    WHERE ${i.hash} = ${hash}
      AND NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.project} = ${i.project})
      AND NOT EXISTS (SELECT 1 FROM ${wd} WHERE ${wd.ws} = ${i.ws})`);
}

/** Aborts the batch if the form was changed or turned off, or if another submission has just reached the limit. */
export function countSubmission(
  { ws, project, version, status, owner, assignee }: OpenFormRow,
  today: string,
  now: number,
): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${intakeForms} SET
        ${intakeForms.sent} = iif(${intakeForms.sent_on} IS ${today}, ${intakeForms.sent}, 0) + 1,
        ${intakeForms.sent_on} = ${today}, ${intakeForms.last_used_at} = ${now}
      WHERE ${intakeForms.ws} = ${ws} AND ${intakeForms.project} = ${project} AND ${intakeForms.version} = ${version}
        AND (${intakeForms.sent_on} IS NOT ${today} OR ${intakeForms.sent} < ${SUBMISSIONS_PER_DAY_MAX})
        AND ${selectCurrentAssignee(aliasTable(intakeForms, 'intake_forms'))} IS ${assignee}
        AND NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.project} = ${project})
        AND NOT EXISTS (SELECT 1 FROM ${wd} WHERE ${wd.ws} = ${ws})
        AND EXISTS (SELECT 1 FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.id} = ${project} AND ${p.status} = ${status}
          AND ${p.owner} = ${owner})`),
    assertUnchanged(sql`changes() = 1`),
  ];
}
