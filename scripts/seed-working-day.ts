import type { Caller } from '../src/kernel/access/access.ts';
import type { AnyOperation } from '../src/kernel/operation/operation.ts';
import type { RequestScope } from '../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../src/kernel/sql/budget.ts';
import { createMeeting } from '../src/meetings/operations/meetings.ts';
import { generateOccurrences } from '../src/meetings/operations/occurrences.ts';
import { startTimer, stopTimer } from '../src/time/tracking/time-tracking.ts';
import { type DemoPerson, meetings } from './demo-content.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS_TRACKED = 12;

export interface DemoWorkspace {
  readonly callers: ReadonlyMap<DemoPerson, Caller>;
  readonly projectIds: ReadonlyMap<string, number>;
}

export interface SeedTools {
  today: number;
  runOperation(caller: Caller, operation: AnyOperation, input: unknown, at: number): Promise<unknown>;
  toWeekday(daysFromToday: number): string;
  createScope(now: number): RequestScope;
}

export interface Event {
  readonly at: number;
  readonly run: (at: number) => Promise<unknown>;
}

export async function addWorkingDay(studio: DemoWorkspace, tools: SeedTools, database: D1Database) {
  // Creates the occurrences that the cron job would have created.
  const scope = tools.createScope(tools.today);
  for (const no of scope.config.cells.keys()) await generateOccurrences.run(scope, no, unlimitedAllowance);
  for (const person of ['owner', 'admin', 'lead', 'member'] as const) {
    const caller = studio.callers.get(person);
    if (caller) await trackTime(caller, tools, database, person === 'lead');
  }
}

export function buildMeetingEvents(
  { callers, projectIds }: DemoWorkspace,
  { today, runOperation, toWeekday }: SeedTools,
): Event[] {
  const userId = (person: DemoPerson) => callers.get(person)?.userId;
  return meetings.flatMap((meeting) => {
    const { host, guests, project, inDays, time, minutes } = meeting;
    const caller = callers.get(host);
    if (!caller) return [];
    const input = {
      projectId: projectIds.get(project),
      name: meeting.name,
      description: meeting.description,
      date: toWeekday(inDays),
      time,
      participantIds: guests.map(userId),
      duration: { days: 0, hours: Math.floor(minutes / 60), minutes: minutes % 60 },
      ...(meeting.link && { meetingLink: meeting.link }),
      ...(meeting.location && { location: meeting.location }),
      ...(meeting.recurrence && { recurrence: meeting.recurrence }),
    };
    const at = today + Math.min(inDays, -1) * DAY_MS;
    return [{ at, run: () => runOperation(caller, createMeeting, input, at) }];
  });
}

/** Adds two time entries per weekday for tasks assigned to the person, and a running timer if `isRunning` is true. */
async function trackTime(
  caller: Caller,
  { today, runOperation }: SeedTools,
  database: D1Database,
  isRunning: boolean,
) {
  const { results: own } = await database
    .prepare('SELECT id FROM tasks WHERE ws = ? AND assignee = ? AND archived = 0 ORDER BY id DESC LIMIT 12')
    .bind(caller.workspace, caller.member)
    .all<{ id: number }>();
  const midnight = Math.floor(today / DAY_MS) * DAY_MS;
  let turn = 0;
  const track = async (startedAt: number, minutes: number) => {
    const taskId = own[turn % own.length]?.id;
    turn += 1;
    const endedAt = startedAt + minutes * MINUTE_MS;
    if (taskId === undefined || endedAt >= today - HOUR_MS) return;
    await runOperation(caller, startTimer, { taskId }, startedAt);
    await runOperation(caller, stopTimer, {}, endedAt);
  };
  for (let daysAgo = DAYS_TRACKED; daysAgo >= 0; daysAgo -= 1) {
    const day = midnight - daysAgo * DAY_MS;
    if ([0, 6].includes(new Date(day).getUTCDay())) continue;
    await track(day + 9 * HOUR_MS, 55 + ((daysAgo * 17) % 80));
    await track(day + 13 * HOUR_MS, 40 + ((daysAgo * 29) % 120));
  }
  const [task] = own;
  if (isRunning && task) await runOperation(caller, startTimer, { taskId: task.id }, today - 40 * MINUTE_MS);
}
