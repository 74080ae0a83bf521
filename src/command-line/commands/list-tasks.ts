import { type Command, Option } from 'commander';
import type { ListTasksInput, Task } from '../../../.wrangler/assets/client.js';
import { addDays } from '../../kernel/dates/civil-date.ts';
import { findPersonId, findProjectId } from '../connection/find-by-name.ts';
import { type Session, withSession } from '../connection/session.ts';
import { type CommandOutput, printHint, printTable } from '../terminal/output.ts';
import { getToday, parseCount, parseDate, parsePriority, parseStatuses, splitList } from './parse-options.ts';
import { statusLabels, type TaskPriority, type TaskStatus } from './task-text.ts';

interface ListOptions {
  readonly project?: string;
  readonly assignee?: string;
  readonly status?: readonly (TaskStatus | 'open')[];
  readonly priority?: TaskPriority;
  readonly tags?: readonly string[];
  readonly dueFrom?: string;
  readonly dueTo?: string;
  readonly overdue?: true;
  readonly search?: string;
  readonly sort: 'created' | 'due' | 'updated';
  readonly limit: number;
}

const DEFAULT_LIMIT = 30;
const ITEMS_PER_PAGE = 50;

export function addListCommand(task: Command): void {
  task
    .command('list')
    .description("List open tasks: yours, or everyone's with --project, --search or --tags")
    .option('-p, --project <project>', 'in a project, by id or name')
    .option('-a, --assignee <person>', 'me, all, none, or the name, email address or id of a person')
    .option('-s, --status <statuses>', 'comma-separated; open means all except completed', parseStatuses)
    .option('--priority <priority>', 'low, medium or high', parsePriority)
    .option('--tags <tags>', 'with any of these tags, comma-separated', splitList)
    .option('--due-from <day>', 'due on or after a day', parseDate)
    .option('--due-to <day>', 'due on or before a day', parseDate)
    .option('--overdue', 'due before today')
    .option('--search <text>', 'with this text in the name or description')
    .addOption(new Option('--sort <order>', 'order').choices(['due', 'created', 'updated']).default('due'))
    .option('-n, --limit <count>', 'maximum number of tasks', parseCount, DEFAULT_LIMIT)
    .action(withSession(listTasks));
}

async function listTasks(session: Session, options: ListOptions): Promise<CommandOutput | undefined> {
  const found: Task[] = [];
  let hasMore = false;
  for await (const task of session.client.listTasks.all(await toListInput(session, options))) {
    hasMore = found.length === options.limit;
    if (hasMore) break;
    found.push(task);
  }
  if (hasMore) printHint(`${describeLimit(options.limit)} Use --limit to list more.`);
  if (session.isJson) return { json: found, lines: [] };
  printTable(
    ['ID', 'NAME', 'STATUS', 'DUE', 'ASSIGNEE', 'PROJECT'],
    found.map(({ id, name, status, deadline, assignee, project }) => [
      String(id),
      name,
      statusLabels[status],
      deadline ?? '',
      assignee?.name ?? '',
      project.name,
    ]),
    'No matching tasks.',
  );
}

async function toListInput({ client }: Session, options: ListOptions): Promise<ListTasksInput> {
  const { project, assignee, status = ['open'], priority, tags, search, sort, overdue, limit } = options;
  const yesterday = addDays(getToday(), -1);
  const listsEveryone = project !== undefined || search !== undefined || tags !== undefined;
  const person = assignee ?? (listsEveryone ? 'all' : 'me');
  const isKeyword = ['me', 'none'].includes(person);
  return {
    scope: 'all',
    status,
    sort,
    search,
    tags,
    priority: priority && [priority],
    projectId: project === undefined ? undefined : [await findProjectId(client, project)],
    assigneeId: person === 'all' ? undefined : [isKeyword ? person : await findPersonId(client, person)],
    dueFrom: options.dueFrom,
    dueTo: overdue && !(options.dueTo && options.dueTo < yesterday) ? yesterday : options.dueTo,
    limit: Math.min(limit + 1, ITEMS_PER_PAGE),
  };
}

function describeLimit(limit: number): string {
  return limit === 1 ? 'Only the first task is listed.' : `Only the first ${limit} tasks are listed.`;
}
