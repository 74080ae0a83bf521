import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, row, rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { meetings } from '../../schema/cell/meetings.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const m = names(meetings, 'm');
const w = names(workspaces, 'w');

const workspaceColumns = columns({
  id: w.id,
  name: w.name,
  timezone: w.timezone,
  daily_capacity_hours: w.daily_capacity_hours,
  plan: w.plan,
  version: w.version,
});
export type WorkspaceState = Row<typeof workspaceColumns>;

export function findWorkspace({ workspace }: Caller): Statement<WorkspaceState> {
  return row(sql`
    SELECT ${workspaceColumns}
    FROM ${w} WHERE ${w.no} = ${workspace}`);
}

export function assertWorkspaceVersion({ workspace }: Caller, version: number): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${w} WHERE ${w.no} = ${workspace} AND ${w.version} = ${version})`);
}

export interface WorkspaceChanges {
  name?: string | undefined;
  timezone?: string | undefined;
  dailyCapacityHours?: number | undefined;
}

/** A trigger raises the version of every member, so that no request goes on with the old values. */
export function updateWorkspace({ workspace }: Caller, changes: WorkspaceChanges): Statement<void> {
  return write(sql`
    UPDATE ${workspaces} SET ${workspaces.name} = coalesce(${changes.name ?? null}, ${workspaces.name}),
      ${workspaces.timezone} = coalesce(${changes.timezone ?? null}, ${workspaces.timezone}),
      ${workspaces.daily_capacity_hours} = coalesce(${changes.dailyCapacityHours ?? null}, ${workspaces.daily_capacity_hours}),
      ${workspaces.version} = ${workspaces.version} + 1
    WHERE ${workspaces.no} = ${workspace}`);
}

const seriesStartColumns = columns({
  id: m.id,
  version: m.version,
  date: m.date,
  time: m.time,
});
/** A meeting that another occurrence follows, and when its latest one starts. */
export type SeriesStart = Row<typeof seriesStartColumns>;

export function listSeries({ workspace }: Caller): Statement<SeriesStart[]> {
  return rows(sql`
    SELECT ${seriesStartColumns}
    FROM ${m} INDEXED BY meetings_by_workspace
    WHERE ${m.ws} = ${workspace} AND ${m.due_at} IS NOT NULL AND ${m.cancelled_at} IS NULL`);
}

/** Moves the starts of meetings to another clock; undoes the batch if one of them has changed since. */
export function moveSeries(
  { workspace }: Caller,
  starts: readonly (SeriesStart & { dueAt: number })[],
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
