// What the scripts share that change what is stored, for whoever runs the deployment.
import { parseArgs } from 'node:util';
import type { Databases } from '../src/kernel/database.ts';
import { openDatabases } from './check-data/databases.ts';

/** Words of the command line, and options: --remote for production, --persist-to=<directory> for another local server. */
export function readCommand() {
  const { values, positionals } = parseArgs({
    options: { remote: { type: 'boolean', default: false }, 'persist-to': { type: 'string' } },
    allowPositionals: true,
  });
  return { words: positionals, isRemote: values.remote, persistTo: values['persist-to'] };
}

/** Changes the databases that the command names: those on this machine with the server stopped. */
export async function changeDatabases(
  { isRemote, persistTo }: Omit<ReturnType<typeof readCommand>, 'words'>,
  change: (databases: Databases) => Promise<void>,
): Promise<void> {
  const databases = await openDatabases({ isRemote, isWritten: true, ...(persistTo && { persistTo }) });
  try {
    await change(databases);
  } finally {
    await databases.close();
  }
}

/** Ends the script with what to do instead. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
