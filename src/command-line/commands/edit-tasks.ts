import type { Command } from 'commander';
import type { CreateTaskInput, EdgeworkClient } from '../../../.wrangler/assets/client.js';
import { findPersonId, findProjectId } from '../connection/find-by-name.ts';
import { type Session, withSession } from '../connection/session.ts';
import { CommandError } from '../terminal/errors.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { readTextArgument } from '../terminal/standard-input.ts';
import {
  convertUnlessNone,
  parseDateOrNone,
  parseHoursOrNone,
  parsePriority,
  parseStatus,
  splitList,
} from './parse-options.ts';
import { getTaskId, parseTaskId } from './task-ids.ts';
import { formatTaskTitle, type TaskPriority, type TaskStatus } from './task-text.ts';

/** `none` clears any field except the status and priority. */
interface FieldOptions {
  readonly description?: string;
  readonly assignee?: string;
  readonly due?: string;
  readonly start?: string;
  readonly status?: TaskStatus;
  readonly priority?: TaskPriority;
  readonly tags?: readonly string[];
  readonly parent?: string;
  readonly estimate?: string;
}

export function addEditCommands(task: Command): void {
  addFieldOptions(
    task
      .command('add')
      .description('Create a task')
      .argument('<name>')
      .requiredOption('-p, --project <project>', 'id or name of the project'),
  ).action(withSession(addTask));
  addFieldOptions(
    task
      .command('edit')
      .description('Change a task')
      .argument('[id]', 'by default, the id in the name of the Git branch, such as EW-123')
      .option('--name <name>', 'new name'),
  )
    .addHelpText('after', '\nPass none to clear the description, assignee, dates, tags, parent or estimate.')
    .action(withSession(editTask));
}

function addFieldOptions(command: Command): Command {
  return command
    .option('-d, --description <text>', 'Markdown; - reads standard input')
    .option('-a, --assignee <person>', 'me, or the name, email address or id of a person')
    .option('--due <day>', 'deadline, such as friday, +3d or 2026-12-24', parseDateOrNone)
    .option('--start <day>', 'day on which work starts', parseDateOrNone)
    .option(
      '-s, --status <status>',
      'todo, in_progress, internal_review, client_review or completed',
      parseStatus,
    )
    .option('--priority <priority>', 'low, medium or high', parsePriority)
    .option('--tags <tags>', 'comma-separated', splitList)
    .option('--parent <id>', 'id of the parent task')
    .option('--estimate <hours>', 'estimated hours, such as 2.5', parseHoursOrNone);
}

async function addTask(
  { client }: Session,
  name: string,
  { project, ...options }: FieldOptions & { readonly project: string },
): Promise<CommandOutput> {
  const [projectId, fields] = await Promise.all([
    findProjectId(client, project),
    toTaskFields(client, options),
  ]);
  const task = await client.createTask({ projectId, name, ...fields });
  return { json: task, lines: [`Created ${formatTaskTitle(task)} in ${task.project.name}`] };
}

async function editTask(
  { client }: Session,
  given: string | undefined,
  { name, ...options }: FieldOptions & { readonly name?: string },
): Promise<CommandOutput> {
  const id = getTaskId(given);
  const fields = { ...(await toTaskFields(client, options)), ...(name !== undefined && { name }) };
  if (Object.keys(fields).length === 0)
    throw new CommandError('Nothing to change. Pass at least one option, such as --status completed.');
  const task = await client.updateTask({ id, ...fields });
  return { json: task, lines: [`Changed ${formatTaskTitle(task)}`] };
}

type TaskFields = Omit<CreateTaskInput, 'projectId' | 'name'>;

async function toTaskFields(client: EdgeworkClient, options: FieldOptions): Promise<TaskFields> {
  const { description, assignee, due, start, status, priority, tags, parent, estimate } = options;
  const keep = (text: string) => text;
  return {
    ...(description !== undefined && {
      descriptionFormat: 'markdown',
      description: await convertUnlessNone(description, readTextArgument),
    }),
    ...(assignee !== undefined && {
      assigneeId: await convertUnlessNone(assignee, (name) => findPersonId(client, name)),
    }),
    ...(due !== undefined && { deadline: convertUnlessNone(due, keep) }),
    ...(start !== undefined && { startDate: convertUnlessNone(start, keep) }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(tags !== undefined && { tags: tags.length === 1 && tags[0]?.toLowerCase() === 'none' ? [] : tags }),
    ...(parent !== undefined && { parentId: convertUnlessNone(parent, parseTaskId) }),
    ...(estimate !== undefined && { customEstimatedHours: convertUnlessNone(estimate, keep) }),
  };
}
