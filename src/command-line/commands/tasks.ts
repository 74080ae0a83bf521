import type { Command } from 'commander';
import type { TaskDetail } from '../../../.wrangler/assets/client.js';
import { findProjectId } from '../connection/find-by-name.ts';
import { type Session, withSession } from '../connection/session.ts';
import { openBrowser } from '../connection/sign-in.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { readTextArgument } from '../terminal/standard-input.ts';
import { addEditCommands } from './edit-tasks.ts';
import { addListCommand } from './list-tasks.ts';
import { formatDuration } from './parse-options.ts';
import { getTaskId, parseTaskId } from './task-ids.ts';
import { formatTask, formatTaskTitle, statusLabels, type TaskStatus } from './task-text.ts';

const ID_DESCRIPTION = 'by default, the id in the name of the Git branch, such as EW-123';

export function addTaskCommands(program: Command): void {
  const task = program.command('task').description('List, view and change tasks');
  addListCommand(task);
  task
    .command('view')
    .description('Show a task with its description and latest comments')
    .argument('[id]', ID_DESCRIPTION)
    .option('-w, --web', 'open the task in the browser')
    .action(withSession(viewTask));
  addEditCommands(task);
  task
    .command('move')
    .description('Move a task and its subtasks to another project')
    .argument('<id>')
    .argument('<project>', 'id or name')
    .action(withSession(moveTask));
  task
    .command('done')
    .alias('complete')
    .description('Mark tasks complete, all or nothing')
    .argument('[ids...]', ID_DESCRIPTION)
    .action(withSession(createStatusAction('completed', 'Completed')));
  task
    .command('reopen')
    .description('Set the status of tasks to To do, all or nothing')
    .argument('[ids...]', ID_DESCRIPTION)
    .action(withSession(createStatusAction('todo', 'Reopened')));
  task
    .command('start')
    .description('Start the timer, and change the status from To do to In progress')
    .argument('[id]', ID_DESCRIPTION)
    .action(withSession(startTask));
  task.command('stop').description('Stop the running timer').action(withSession(stopTimer));
  task
    .command('comment')
    .description('Comment on a task')
    .argument('<id>')
    .argument('<text>', 'the comment, or - to read it from standard input')
    .addHelpText('after', '\nPut -- before text that starts with a hyphen.')
    .action(withSession(commentOnTask));
}

async function viewTask({ client, profile }: Session, given: string | undefined, { web }: { web?: true }) {
  const id = getTaskId(given);
  const task = await client.getTask({
    id,
    expand: ['detail', 'structure', 'assignees'],
    descriptionFormat: 'markdown',
  });
  if (!web) return { json: task, lines: formatTask(task) };
  const { workspace } = await client.getMe();
  const url = `${profile.url}/app/${workspace.id}/tasks/${id}`;
  openBrowser(url);
  return { json: { url }, lines: [url] };
}

async function moveTask({ client }: Session, id: string, project: string): Promise<CommandOutput> {
  const task = await client.moveTask({
    id: parseTaskId(id),
    projectId: await findProjectId(client, project),
  });
  return { json: task, lines: [`Moved ${formatTaskTitle(task)} to ${task.project.name}`] };
}

function createStatusAction(status: TaskStatus, verb: string) {
  return async ({ client }: Session, given: string[]): Promise<CommandOutput> => {
    const ids = given.length === 0 ? [getTaskId(undefined)] : [...new Set(given.map(parseTaskId))];
    const { data } = await client.updateTasksInBulk({ ids, set: { status } });
    const tasks = data.flatMap(({ task }) => task ?? []) as TaskDetail[];
    return { json: tasks, lines: tasks.map((task) => `${verb} ${formatTaskTitle(task)}`) };
  };
}

async function startTask({ client }: Session, given: string | undefined): Promise<CommandOutput> {
  const id = getTaskId(given);
  const { name, status } = await client.getTask({ id, fields: ['name', 'status'] });
  if (status === 'todo') await client.updateTask({ id, status: 'in_progress' });
  const running = await client.getCurrentTimer();
  const timer = await client.startTimer({ taskId: id });
  const label = statusLabels[status === 'todo' ? 'in_progress' : status];
  return {
    json: timer,
    lines: [
      ...(running ? [`Timer stopped on ${formatTaskTitle(running.task)}`] : []),
      `Timer started on ${formatTaskTitle({ id, name })} (${label})`,
    ],
  };
}

async function stopTimer({ client }: Session): Promise<CommandOutput> {
  const entry = await client.stopTimer();
  const duration = formatDuration(entry.durationSeconds);
  return { json: entry, lines: [`Timer stopped after ${duration} on ${formatTaskTitle(entry.task)}`] };
}

async function commentOnTask({ client }: Session, id: string, text: string): Promise<CommandOutput> {
  const comment = await client.addComment({ id: parseTaskId(id), content: await readTextArgument(text) });
  return { json: comment, lines: [`Added comment ${comment.id}`] };
}
