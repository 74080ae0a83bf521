import type { Command } from 'commander';
import { type Session, withSession } from '../connection/session.ts';
import { type CommandOutput, printTable } from '../terminal/output.ts';

interface ListOptions {
  readonly search?: string;
}

export function addProjectAndPeopleCommands(program: Command): void {
  program
    .command('project')
    .description('List projects')
    .command('list', { isDefault: true })
    .description('List the projects that you can see')
    .option('--search <text>', 'with this text in the name')
    .action(withSession(listProjects));
  program
    .command('people')
    .description('List people')
    .command('list', { isDefault: true })
    .description('List the people in the workspace')
    .option('--search <text>', 'with this text in the name or email address')
    .action(withSession(listPeople));
}

async function listProjects(
  { client, isJson }: Session,
  { search }: ListOptions,
): Promise<CommandOutput | undefined> {
  const found = await readAll(client.listProjects.all({ search, scope: 'all' }));
  if (isJson) return { json: found, lines: [] };
  printTable(
    ['ID', 'NAME', 'STATUS', 'TASKS'],
    found.map(({ id, name, status, taskCount }) => [String(id), name, status, String(taskCount)]),
    'No matching projects.',
  );
}

async function listPeople(
  { client, isJson }: Session,
  { search }: ListOptions,
): Promise<CommandOutput | undefined> {
  const found = await readAll(client.listUsers.all({ search }));
  if (isJson) return { json: found, lines: [] };
  printTable(
    ['ID', 'NAME', 'EMAIL'],
    found.map(({ id, name, email }) => [id, name, email]),
    'No matching people.',
  );
}

/** Node 20 has no `Array.fromAsync`. */
async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
