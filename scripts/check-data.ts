// `npm run check:data`: compares every counter, index and reference with the rows they are made of (src/integrity).
// Reads only, beside a server that is at work too. -- --repair mends counters, search and memberships (stop a local server first; in
// production requests may go on); -- --remote asks the databases in production; -- --persist-to=<directory> those of
// another local server. Exits 1 where something is off at the end.
import { parseArgs } from 'node:util';
import { checkData } from '../src/upkeep/integrity/check.ts';
import { mendCounters, mendMemberships, mendSearch } from '../src/upkeep/integrity/repair.ts';
import { openDatabases } from './check-data/databases.ts';

const { values } = parseArgs({
  options: {
    repair: { type: 'boolean', default: false },
    remote: { type: 'boolean', default: false },
    'persist-to': { type: 'string' },
  },
});
const databases = await openDatabases({
  isRemote: values.remote,
  isWritten: values.repair,
  ...(values['persist-to'] && { persistTo: values['persist-to'] }),
});
try {
  const isClean = (await look()) || (values.repair && (await repair()) && (await look()));
  process.exitCode = isClean ? 0 : 1;
} catch (error) {
  if (!(error instanceof Error) || !/no such (table|column)/.test(error.message)) throw error;
  console.error(
    `${error.message}. The migrations of this version have not been applied: npm start, or npm run deploy.`,
  );
  process.exitCode = 1;
} finally {
  await databases.close();
}

/** Prints a line an invariant; answers whether all hold. */
async function look(): Promise<boolean> {
  const now = Date.now();
  const findings = await checkData(databases.directory, databases.cells, { now, hasCron: values.remote });
  const width = Math.max(...findings.map(({ database }) => database.length));
  for (const { database, invariant, offenders } of findings) {
    console.log(`${offenders.length === 0 ? 'ok ' : 'OFF'}  ${database.padEnd(width)}  ${invariant}`);
    for (const offender of offenders) console.log(`       ${offender}`);
  }
  const off = findings.filter(({ offenders }) => offenders.length > 0);
  const mendable = off.filter(({ mendedBy }) => mendedBy).length;
  console.log(
    off.length === 0
      ? `${findings.length} invariants hold.`
      : `${off.length} of ${findings.length} invariants do not hold; -- --repair mends ${mendable} of them.`,
  );
  return off.length === 0;
}

async function repair(): Promise<boolean> {
  const places = {
    directory: databases.directory,
    cell(no: number) {
      const cell = databases.cells.get(no);
      if (!cell) throw new Error(`Cell ${no} is not open; name it to this script as well`);
      return cell;
    },
  };
  for (const [no, cell] of databases.cells) {
    const mended = [
      ...(await mendCounters(cell)),
      ...(await mendMemberships(places, no, Date.now())),
      ...(await mendSearch(cell)),
    ];
    for (const each of mended) console.log(`mended  cell ${no}  ${each}`);
  }
  return true;
}
