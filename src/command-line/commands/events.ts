import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { EdgeworkError, type Event, type ListEventsInput } from '../../../.wrangler/assets/client.js';
import { findProjectId } from '../connection/find-by-name.ts';
import { getGlobalOptions, openSession } from '../connection/session.ts';
import { CLOSED_PIPE_EXIT_CODE, describeError, isConnectionError } from '../terminal/errors.ts';
import { formatCount, printHint, toPlainLine, toSafeJson } from '../terminal/output.ts';
import { splitList } from './parse-options.ts';

interface TailOptions {
  readonly after?: number;
  readonly types?: ListEventsInput['types'];
  readonly project?: string;
}

const RECONNECT_SECONDS = 10;

export function addEventCommands(program: Command): void {
  const events = program.command('events').description('Follow what happens in the workspace');
  events
    .command('tail')
    .description('Print events as they happen, until you press Ctrl+C')
    .option('--after <seq>', 'start after this event; 0 starts with the oldest', parseSeq)
    .option('--types <types>', 'comma-separated, such as task.*,comment.created', splitList)
    .option('-p, --project <project>', 'only in a project, by id or name')
    .addHelpText('after', '\nWith --json, each line is an event.')
    .action(tailEvents);
}

function parseSeq(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('Use the seq of an event, which is a whole number.');
  return Number(text);
}

/** Continues after outages, without losing or repeating an event. */
async function tailEvents({ after, types, project }: TailOptions, command: Command): Promise<void> {
  // Exits once the output is no longer read, because there is nothing left to do.
  process.stdout.once('error', () => process.exit(CLOSED_PIPE_EXIT_CODE));
  const { client, profile, isJson } = openSession(getGlobalOptions(command));
  const projectId = project === undefined ? undefined : await findProjectId(client, project);
  let next = after ?? (await client.listEvents()).meta.nextAfter;
  for (;;) {
    try {
      for await (const event of client.followEvents({ after: next, types, projectId })) {
        process.stdout.write(`${isJson ? toSafeJson(JSON.stringify(event)) : formatEvent(event)}\n`);
        next = event.seq;
      }
    } catch (error) {
      if (!isTemporary(error)) throw error;
      const seconds = (error instanceof EdgeworkError && error.retryAfter) || RECONNECT_SECONDS;
      printHint(`${describeError(error, profile.url)} Trying again in ${formatCount(seconds, 'second')}.`);
      await sleep(seconds * 1000);
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  return error instanceof EdgeworkError && ['internal', 'rate_limited'].includes(error.code);
}

function formatEvent({ seq, occurredAt, type, actor, task, project }: Event): string {
  const place = task ? `#${task.id}` : project ? `project ${project.id}` : '';
  const parts = [seq, occurredAt, type, place, actor?.name ?? 'Edgework'];
  return toPlainLine(parts.filter((part) => part !== '').join(' '));
}
