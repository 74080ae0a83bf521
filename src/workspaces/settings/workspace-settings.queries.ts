import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  type Argument,
  hasRow,
  pickColumns,
  prepared,
  query,
  type RowOf,
} from '../../kernel/sql/prepared.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { meetings } from '../../schema/cell/meetings.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const m = aliasTable(meetings, 'm');

export const findWorkspace = prepared.row(({ workspace }: Argument<Caller>) =>
  query
    .select(pickColumns(workspaces, 'id', 'name', 'timezone', 'daily_capacity_hours', 'plan', 'version'))
    .from(workspaces)
    .where(eq(workspaces.no, workspace)),
);
export type WorkspaceState = RowOf<typeof findWorkspace>;

export const assertWorkspaceVersion = prepared.assertUnchanged(
  ({ workspace }: Argument<Caller>, version: Argument<number>) =>
    hasRow(workspaces, and(eq(workspaces.no, workspace), eq(workspaces.version, version))),
);

export interface WorkspaceChanges {
  name?: string | undefined;
  timezone?: string | undefined;
  dailyCapacityHours?: number | undefined;
}

/** A trigger increases the version of every member, so that no request continues with the old settings. */
export function updateWorkspace(caller: Caller, changes: WorkspaceChanges): Statement<void> {
  const { name = null, timezone = null, dailyCapacityHours = null } = changes;
  return updateSettings(caller, { name, timezone, dailyCapacityHours });
}

const updateSettings = prepared.write(
  (
    { workspace }: Argument<Caller>,
    changes: Argument<{ name: string | null; timezone: string | null; dailyCapacityHours: number | null }>,
  ) =>
    query
      .update(workspaces)
      .set({
        name: sql`coalesce(${changes.name}, ${workspaces.name})`,
        timezone: sql`coalesce(${changes.timezone}, ${workspaces.timezone})`,
        daily_capacity_hours: sql`coalesce(${changes.dailyCapacityHours}, ${workspaces.daily_capacity_hours})`,
        version: sql`${workspaces.version} + 1`,
      })
      .where(eq(workspaces.no, workspace)),
);

const seriesStartColumns = selectColumns({
  id: m.id,
  version: m.version,
  date: m.date,
  time: m.time,
});
export type RecurringMeetingStart = Row<typeof seriesStartColumns>;

export function listRecurringMeetings({ workspace }: Caller): Statement<RecurringMeetingStart[]> {
  return readRows(sql`
    SELECT ${seriesStartColumns}
    FROM ${m} INDEXED BY meetings_by_workspace
    WHERE ${m.ws} = ${workspace} AND ${m.due_at} IS NOT NULL AND ${m.cancelled_at} IS NULL`);
}

/** Stores the start times in the new time zone. Aborts the batch if a meeting has changed since it was read. */
export function moveRecurringMeetings(
  { workspace }: Caller,
  starts: readonly (RecurringMeetingStart & { dueAt: number })[],
): Statement<void>[] {
  const asked = sql`json_each(${JSON.stringify(starts)}) d`;
  const same = sql`meetings.id = d.value ->> 'id' AND meetings.version = d.value ->> 'version'`;
  return [
    assertUnchanged(sql`(
      SELECT count(*) FROM ${asked} CROSS JOIN ${meetings} ON ${same}
        AND meetings.ws = ${workspace}) = ${starts.length}`),
    write(sql`
      UPDATE ${meetings} SET due_at = CAST(d.value ->> 'dueAt' AS INTEGER) FROM ${asked}
      WHERE ${same} AND meetings.ws = ${workspace}`),
  ];
}
