// `npm run search:rebuild`: builds the search indexes of every cell from its tasks and comments, in pages; in production
// beside running requests, on this machine with the server stopped.
// -- --remote for the databases in production; -- --from-scratch empties the index first (after a restore without it,
// or where it is damaged); -- --persist-to=<directory> for those of another local server.
import { parseArgs } from 'node:util';
import { rebuildSearch } from '../src/upkeep/integrity/rebuild-search.ts';
import { openDatabases } from './check-data/databases.ts';

const { values } = parseArgs({
  options: {
    remote: { type: 'boolean', default: false },
    'from-scratch': { type: 'boolean', default: false },
    'persist-to': { type: 'string' },
  },
});
const databases = await openDatabases({
  isRemote: values.remote,
  isWritten: true,
  ...(values['persist-to'] && { persistTo: values['persist-to'] }),
});
try {
  for (const [no, cell] of databases.cells) {
    const { tasks, comments } = await rebuildSearch(cell, { fromScratch: values['from-scratch'] });
    console.log(`cell ${no}: ${tasks} tasks and ${comments} comments indexed`);
  }
} finally {
  await databases.close();
}
