import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { meetings } from '../../schema/cell/meetings.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { meetingColumns } from './meetings.queries.ts';
import type { MeetingListInput } from './meetings.schema.ts';

const m = aliasTable(meetings, 'm');
const mp = aliasTable(projectMembers, 'mp');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');

type MeetingReader = Pick<Context, 'caller' | 'reach'>;
type DateRangeFilter = Pick<MeetingListInput, 'projectId' | 'from' | 'to'>;

function buildMeetingListFromClause(
  { caller, reach }: MeetingReader,
  { projectId, from, to }: DateRangeFilter,
): SQL {
  const conditions = [
    sql`${m.cancelled_at} IS NULL`,
    ...(projectId === undefined ? [] : [sql`${m.project} = ${projectId}`]),
    ...(from === undefined ? [] : [sql`${m.date} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${m.date} <= ${to}`]),
  ];
  return sql`${buildIndexedSource()} AND ${sql.join(conditions, sql` AND `)}`;

  function buildIndexedSource(): SQL {
    if (reach !== 'all') {
      return sql`
        ${mp} CROSS JOIN ${m} INDEXED BY meetings_by_project ON ${m.project} = ${mp.project}
        WHERE ${m.ws} = ${caller.workspace} AND ${mp.member} = ${caller.member}
        ${projectId === undefined ? sql`` : sql`AND ${mp.project} = ${projectId}`}`;
    }
    const index = sql.raw(projectId === undefined ? 'meetings_by_workspace' : 'meetings_by_project');
    return sql`${m} INDEXED BY ${index} WHERE ${m.ws} = ${caller.workspace}`;
  }
}

export function countMeetings(reader: MeetingReader, input: MeetingListInput): Statement<number> {
  return readNumber(sql`SELECT count(*) AS total FROM ${buildMeetingListFromClause(reader, input)}`);
}

export type ListedMeetingRow = Row<typeof meetingColumns> & {
  is_over: 0 | 1;
};

/** Sorts by start. In both orders, meetings without a future occurrence come last, newest first. */
export function listMeetings(
  reader: MeetingReader,
  input: MeetingListInput,
  range: PageRange,
  now: number,
): Statement<ListedMeetingRow[]> {
  const { date, time } = toWallClock(now, reader.caller.timezone);
  const isDescending = input.order === 'desc';
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC');
  const start = sql`${m.date} || 'T' || ${m.time}`;
  const isOver = sql`(${m.due_at} IS NULL AND ${start} < ${`${date}T${time}`})`;
  const inOrder = sql`
    ORDER BY ${isOver}, iif(${isOver}, NULL, ${start}) ${direction}, iif(${isOver}, NULL, ${m.id}) ${direction},
      ${start} DESC, ${m.id} DESC`;
  return readRows(sql`
    SELECT ${meetingColumns}, ${selectColumns({ is_over: withType<0 | 1>(isOver) })} FROM (
      SELECT ${m.id} AS id FROM ${buildMeetingListFromClause(reader, input)}
        AND ${isAfterCursor()} ${inOrder} ${buildLimit(range)}) page
    CROSS JOIN ${m} ON ${m.id} = page.id
    CROSS JOIN ${p} ON ${p.id} = ${m.project}
    CROSS JOIN ${o} ON ${o.no} = ${m.created_by}
    ${inOrder}`);

  function isAfterCursor(): SQL {
    if (range.after === null) return sql`true`;
    const [wasOver, ...after] = range.after;
    const within = (descends: boolean) =>
      isAfter({ after }, [
        { column: sql`(${start})`, isDescending: descends },
        { column: m.id, isDescending: descends },
      ]);
    return wasOver === 1 ? sql`(${isOver} AND ${within(true)})` : sql`(${isOver} OR ${within(isDescending)})`;
  }
}

interface CalendarQuery {
  projectId?: number | undefined;
  from: string;
  to: string;
  activeSince: string;
  limit: number;
}

const calendarMeetingColumns = selectColumns({
  first_date: m.first_date,
  first_time: m.first_time,
  slot: m.slot,
});
export type CalendarMeetingRow = Row<typeof meetingColumns> & Row<typeof calendarMeetingColumns>;

/**
 * Skips series whose latest occurrence was before both `from` and `activeSince`. These series have ended, because an
 * active series has an occurrence after `activeSince`.
 */
export function listCalendarMeetings(
  reader: MeetingReader,
  { projectId, from, to, activeSince, limit }: CalendarQuery,
): Statement<CalendarMeetingRow[]> {
  const earliest = activeSince < from ? activeSince : from;
  return readRows(sql`
    SELECT ${meetingColumns}, ${calendarMeetingColumns} FROM (
      SELECT ${m.id} AS id FROM ${buildMeetingListFromClause(reader, { projectId, from: earliest, to })}
        AND (${m.date} >= ${from} OR ${m.due_at} IS NOT NULL)
      ORDER BY ${m.date}, ${m.time}, ${m.id} LIMIT ${limit}) page
    CROSS JOIN ${m} ON ${m.id} = page.id
    CROSS JOIN ${p} ON ${p.id} = ${m.project}
    CROSS JOIN ${o} ON ${o.no} = ${m.created_by}
    ORDER BY ${m.date}, ${m.time}, ${m.id}`);
}
