import { readNumber, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { beginDeletions } from '../../projects/deletion/hide-project.queries.ts';
import { hourChanges } from '../../schema/cell/category-changes.ts';
import { changeSets } from '../../schema/cell/change-sets.ts';
import { events } from '../../schema/cell/events.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, teamMembers, teams } from '../../schema/cell/reference.ts';
import { webhookDeliveries, webhooks } from '../../schema/cell/webhooks.ts';
import { workspaceDeletions } from '../../schema/cell/workspace-deletions.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { revokeEndedMembers } from '../directory/memberships.queries.ts';

const c = aliasTable(taskCategories, 'c');
const d2 = aliasTable(projectDeletions, 'd');
const d = aliasTable(workspaceDeletions, 'd');
const e = aliasTable(events, 'e');
const h = aliasTable(webhooks, 'h');
const m = aliasTable(members, 'm');
const n = aliasTable(events, 'n');
const p = aliasTable(projects, 'p');
const q = aliasTable(projects, 'q');
const t = aliasTable(teams, 't');

export function closeWorkspace(ws: number, now: number): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(workspaceDeletions, 'ws', 'created_at')} VALUES (${ws}, ${now}) ON CONFLICT DO NOTHING`),
    write(
      sql`UPDATE ${invitations} SET ${invitations.ended_at} = ${now} WHERE ${invitations.ws} = ${ws} AND ${invitations.ended_at} IS NULL`,
    ),
    {
      ...write(
        sql`UPDATE ${members} SET ${members.ended_at} = ${now} WHERE ${members.ws} = ${ws} AND ${members.ended_at} IS NULL`,
      ),
      // Closes open pages, although the batch records no event.
      changedWorkspace: ws,
    },
    ...revokeEndedMembers(now),
  ];
}

const wsColumn = selectColumns({ ws: d.ws });

export function hasClosedWorkspaces(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${d})`;
}

export function listClosedWorkspaces(limit: number): Statement<{ ws: number }[]> {
  return readRows(sql`SELECT ${wsColumn} FROM ${d} ORDER BY ${d.created_at} LIMIT ${limit}`);
}

const PROJECTS_PER_STEP = 100;

export function startProjectDeletions(ws: number, now: number): Statement<void> {
  const next = sql`
    SELECT ${q.id} FROM ${q} INDEXED BY projects_by_workspace WHERE ${q.ws} = ${ws}
    AND NOT EXISTS (SELECT 1 FROM ${d2} WHERE ${d2.project} = ${q.id}) LIMIT ${PROJECTS_PER_STEP}`;
  return beginDeletions(sql`${p.ws} = ${ws} AND ${p.id} IN (${next})`, now);
}

export function countProjectDeletions(ws: number): Statement<number> {
  return readNumber(sql`SELECT count(*) AS n FROM ${d2} WHERE ${d2.ws} = ${ws}`);
}

const EVENTS_PER_SLICE = 1_000;

const seqColumn = selectColumns({ seq: events.seq });

/** Keeps the newest event, so that its number isn't reused. */
export function deleteEventSlice(ws: number): Statement<{ seq: number }[]> {
  return readRows(sql`
    DELETE FROM ${events} WHERE ${events.ws} = ${ws} AND ${events.seq} IN (
      SELECT ${e.seq} FROM ${e} WHERE ${e.ws} = ${ws}
      AND ${e.seq} < (SELECT max(${n.seq}) FROM ${n} WHERE ${n.ws} = ${ws}) ORDER BY ${e.seq}
        LIMIT ${EVENTS_PER_SLICE})
    RETURNING ${seqColumn}`);
}

export function moveFeedStart(ws: number): Statement<void> {
  return write(sql`
    UPDATE ${workspaces} SET ${workspaces.events_from} = coalesce((SELECT min(${e.seq})
      FROM ${e} WHERE ${e.ws} = ${ws}), ${workspaces.events_from})
    WHERE ${workspaces.no} = ${ws}`);
}

/** Must run after projects, tasks and events are deleted. Keeps the numbers of the workspace and its members. */
export function clearWorkspace(ws: number): Statement<void>[] {
  const categories = sql`(SELECT ${c.id} FROM ${c} WHERE ${c.ws} = ${ws})`;
  const teams = sql`(SELECT ${t.id} FROM ${t} WHERE ${t.ws} = ${ws})`;
  return [
    write(sql`DELETE FROM ${teamMembers} WHERE ${teamMembers.team} IN ${teams}`),
    ...deleteFromTables(ws, ['teams']),
    write(sql`DELETE FROM ${hourChanges} WHERE ${hourChanges.category} IN ${categories}`),
    ...deleteFromTables(ws, [
      'task_types',
      'task_categories',
      'task_counts',
      'subtask_counts',
      'other_assignee_counts',
      'member_halves',
      'flow_days',
      'comment_counts',
      'label_counts',
      'labels',
    ]),
    write(sql`
      DELETE FROM ${webhookDeliveries} WHERE ${webhookDeliveries.webhook} IN (SELECT ${h.id}
        FROM ${h} WHERE ${h.ws} = ${ws})`),
    ...deleteFromTables(ws, ['webhooks']),
    ...deleteFromTables(ws, [
      'invitations',
      'departures',
      'forgotten_members',
      'credentials',
      'calendar_feeds',
      'saved_filters',
      'bots',
      'custom_fields',
      'templates',
      'workspace_sessions',
      'audit_entries',
    ]),
    endChangeSets(ws),
    write(sql`UPDATE ${events} SET ${events.changes} = '{}' WHERE ${events.ws} = ${ws}`),
    write(sql`
      UPDATE ${members} SET ${members.name} = 'Former member',
        ${members.email} = ${members.user_id} || '@deleted.invalid',
        ${members.email_key} = lower(${members.user_id}) || '@deleted.invalid', ${members.image} = NULL
      WHERE ${members.ws} = ${ws}`),
    write(
      sql`UPDATE ${workspaces} SET ${workspaces.name} = 'Deleted workspace' WHERE ${workspaces.no} = ${ws}`,
    ),
    write(sql`DELETE FROM ${workspaceDeletions} WHERE ${workspaceDeletions.ws} = ${ws}`),
  ];
}

/** `cleanChangeSets` deletes ended sets with their items, because there are too many for one statement. */
function endChangeSets(ws: number): Statement<void> {
  return write(sql`
    UPDATE ${changeSets} SET ${changeSets.status} = 'discarded', ${changeSets.expires_at} = 0
    WHERE ${changeSets.ws} = ${ws} AND ${changeSets.member} IN (SELECT ${m.no} FROM ${m} WHERE ${m.ws} = ${ws})`);
}

function deleteFromTables(ws: number, tables: readonly string[]): Statement<void>[] {
  return tables.map((table) => write(sql`DELETE FROM ${sql.raw(table)} WHERE ws = ${ws}`));
}
