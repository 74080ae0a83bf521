// `npm run check` uses this script to find SQL that works locally but not on the real D1, migrations with numbers out
// of order, and migrations that have changed since they were deployed.
import { checkMigrations, readApplied, readMigrations } from './migrations/files.ts';

const problems = checkMigrations(readMigrations(), readApplied());
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
