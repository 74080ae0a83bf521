// What the scripts share that change what is stored, for whoever runs the deployment.
import { parseArgs } from 'node:util';
import type { Databases } from '../src/kernel/sql/database.ts';
import { openDatabases } from './check-data/databases.ts';

/** Words of the command line, and options: --remote for production, --persist-to=<directory> for another local server. */
export function readCommand() {
  const { values, positionals } = parseArgs({
    options: { remote: { type: 'boolean', default: false }, 'persist-to': { type: 'string' } },
    allowPositionals: true,
  });
  return { words: positionals, isRemote: values.remote, persistTo: values['persist-to'] };
}

type Where = Omit<ReturnType<typeof readCommand>, 'words'>;

/** Changes the databases that the command names: those on this machine with the server stopped. */
export function changeDatabases(where: Where, change: (databases: Databases) => Promise<void>) {
  return withDatabases(where, true, change);
}

/** Reads the databases that the command names, also while a server is at work. */
export function lookAtDatabases(where: Where, look: (databases: Databases) => Promise<void>) {
  return withDatabases(where, false, look);
}

async function withDatabases(
  { isRemote, persistTo }: Where,
  isWritten: boolean,
  use: (databases: Databases) => Promise<void>,
): Promise<void> {
  const databases = await openDatabases({ isRemote, isWritten, ...(persistTo && { persistTo }) });
  try {
    await use(databases);
  } finally {
    await databases.close();
  }
}

/** Ends the script with what to do instead. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
