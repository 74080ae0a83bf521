import type { Command } from 'commander';
import { EdgeworkError, type TimeEntry } from '../../../.wrangler/assets/client.js';
import { addDays } from '../../kernel/dates/civil-date.ts';
import { type Session, withSession } from '../connection/session.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { type CommandOutput, printHint, printTable } from '../terminal/output.ts';
import {
  formatDuration,
  formatLocalTime,
  getToday,
  parseCount,
  parseDuration,
  parseInstant,
  parsePastDate,
} from './parse-options.ts';
import { getTaskId, parseTaskId } from './task-ids.ts';
import { formatTaskTitle } from './task-text.ts';

interface ListOptions {
  readonly from?: string;
  readonly to?: string;
  readonly task?: number;
  readonly limit: number;
}

const DEFAULT_LIMIT = 100;
const ITEMS_PER_PAGE = 50;
const MINUTE_MS = 60_000;

export function addTimeCommands(program: Command): void {
  const time = program.command('time').description('List and log your time');
  time
    .command('list')
    .description("List your time entries; by default, today's")
    .option('--from <day>', "on or after a day, in the workspace's time zone", parsePastDate)
    .option('--to <day>', "on or before a day, in the workspace's time zone", parsePastDate)
    .option('--task <id>', 'on a task', parseTaskId)
    .option('-n, --limit <count>', 'maximum number of entries', parseCount, DEFAULT_LIMIT)
    .action(withSession(listEntries));
  time
    .command('add')
    .description('Log time that you worked')
    .argument('<duration>', 'such as 1h30m, 45m or 1.5h', parseDuration)
    .argument('[id]', 'by default, the id in the name of the Git branch, such as EW-123')
    .option(
      '--at <time>',
      'when the work started, such as 09:30; by default, the work ended now',
      parseInstant,
    )
    .action(withSession(addEntry));
  time.command('status').description('Show the running timer').action(withSession(showTimer));
}

async function listEntries(
  { client, isJson }: Session,
  { from, to, task, limit }: ListOptions,
): Promise<CommandOutput | undefined> {
  const isToday = from === undefined && to === undefined && task === undefined;
  const today = getToday();
  const found: TimeEntry[] = [];
  let hasMore = false;
  const input = {
    // The workspace's day can differ from this machine's, so today's entries are filtered below.
    from: isToday ? addDays(today, -1) : from,
    to,
    taskId: task,
    limit: Math.min(limit + 1, ITEMS_PER_PAGE),
  };
  for await (const entry of client.listTimeEntries.all(input)) {
    if (isToday && formatLocalTime(entry.startTime).slice(0, 10) !== today) continue;
    hasMore = found.length === limit;
    if (hasMore) break;
    found.push(entry);
  }
  if (hasMore) printHint(`Older entries aren't listed. Use --limit to list more than ${limit}.`);
  if (isJson) return { json: found, lines: [] };
  const total = found.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  printTable(
    ['STARTED', 'TIME', 'TASK', 'PROJECT'],
    found.map(({ startTime, durationSeconds, endTime, task: each, project }) => [
      formatLocalTime(startTime),
      `${formatDuration(durationSeconds)}${endTime === null ? ' (running)' : ''}`,
      formatTaskTitle(each),
      project.name,
    ]),
    'No time entries.',
  );
  if (process.stdout.isTTY && found.length > 1) printHint(`Total: ${formatDuration(total)}`);
}

async function addEntry(
  { client }: Session,
  seconds: number,
  id: string | undefined,
  { at }: { readonly at?: number },
): Promise<CommandOutput> {
  // Ends at the last full minute, because the server rejects an end that is ahead of its own clock.
  const startMs = at ?? Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - seconds * 1000;
  const entry = await client
    .createTimeEntry({
      taskId: getTaskId(id),
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + seconds * 1000).toISOString(),
    })
    .catch((error: unknown) => {
      if (at !== undefined || !(error instanceof EdgeworkError) || error.code !== 'invalid_request')
        throw error;
      throw new CommandError(
        `${error.message} Pass --at with the time when the work started.`,
        exitCodes.failed,
      );
    });
  const from = formatLocalTime(entry.startTime);
  const title = formatTaskTitle(entry.task);
  return {
    json: entry,
    lines: [`Logged ${formatDuration(entry.durationSeconds)} on ${title}, from ${from}`],
  };
}

async function showTimer({ client }: Session): Promise<CommandOutput> {
  const entry = await client.getCurrentTimer();
  return {
    json: entry,
    lines: [
      entry
        ? `${formatDuration(entry.durationSeconds)} on ${formatTaskTitle(entry.task)}, since ${formatLocalTime(entry.startTime)}`
        : 'No timer is running.',
    ],
  };
}
