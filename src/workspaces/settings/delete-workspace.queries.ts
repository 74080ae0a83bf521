import type { Column, Table } from 'drizzle-orm';
import { readNumber, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { beginDeletions } from '../../projects/deletion/hide-project.queries.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { bots } from '../../schema/cell/bots.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { changeSets } from '../../schema/cell/change-sets.ts';
import {
  commentCounts,
  flowDays,
  memberHalfMonths,
  otherAssigneeCounts,
  subtaskCounts,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { departures, forgottenMembers } from '../../schema/cell/departures.ts';
import { events } from '../../schema/cell/events.ts';
import { exports } from '../../schema/cell/exports.ts';
import { hourChanges } from '../../schema/cell/hour-changes.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { labelCounts, labels } from '../../schema/cell/labels.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes, teamMembers, teams } from '../../schema/cell/reference.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { templates } from '../../schema/cell/templates.ts';
import { webhookDeliveries, webhooks } from '../../schema/cell/webhooks.ts';
import { workspaceDeletions } from '../../schema/cell/workspace-deletions.ts';
import { workspaceSessions } from '../../schema/cell/workspace-sessions.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { revokeFormerMemberAccess } from '../directory/memberships.queries.ts';

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
      // Notifies open pages even though the batch records no event.
      changedWorkspace: ws,
    },
    ...revokeFormerMemberAccess(now),
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

/** Must run after projects, tasks and events are deleted. Keeps the workspace's and its members' rows. */
export function clearWorkspaceData(ws: number): Statement<void>[] {
  const categories = sql`(SELECT ${c.id} FROM ${c} WHERE ${c.ws} = ${ws})`;
  const teamIds = sql`(SELECT ${t.id} FROM ${t} WHERE ${t.ws} = ${ws})`;
  return [
    write(sql`DELETE FROM ${teamMembers} WHERE ${teamMembers.team} IN ${teamIds}`),
    deleteWorkspaceRows(ws, teams),
    write(sql`DELETE FROM ${hourChanges} WHERE ${hourChanges.category} IN ${categories}`),
    ...[
      taskTypes,
      taskCategories,
      taskCounts,
      subtaskCounts,
      otherAssigneeCounts,
      memberHalfMonths,
      flowDays,
      commentCounts,
      labelCounts,
      labels,
    ].map((table) => deleteWorkspaceRows(ws, table)),
    write(sql`
      DELETE FROM ${webhookDeliveries} WHERE ${webhookDeliveries.webhook} IN (SELECT ${h.id}
        FROM ${h} WHERE ${h.ws} = ${ws})`),
    ...[
      webhooks,
      invitations,
      departures,
      forgottenMembers,
      credentials,
      calendarFeeds,
      savedFilters,
      bots,
      customFields,
      templates,
      workspaceSessions,
      auditEntries,
    ].map((table) => deleteWorkspaceRows(ws, table)),
    endChangeSets(ws),
    removeExports(ws),
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

/** `cleanChangeSets` deletes the ended sets and their items later, because there can be too many for one statement. */
function endChangeSets(ws: number): Statement<void> {
  return write(sql`
    UPDATE ${changeSets} SET ${changeSets.status} = 'discarded', ${changeSets.expires_at} = 0
    WHERE ${changeSets.ws} = ${ws} AND ${changeSets.member} IN (SELECT ${m.no} FROM ${m} WHERE ${m.ws} = ${ws})`);
}

/** `cleanExports` deletes the files once no run can be working on them anymore. */
function removeExports(ws: number): Statement<void> {
  return write(sql`
    UPDATE ${exports} SET ${exports.status} = 'removed', ${exports.expires_at} = ${exports.leased_until},
      ${exports.version} = ${exports.version} + 1
    WHERE ${exports.ws} = ${ws}`);
}

function deleteWorkspaceRows(ws: number, table: Table & { readonly ws: Column }): Statement<void> {
  return write(sql`DELETE FROM ${table} WHERE ${table.ws} = ${ws}`);
}
