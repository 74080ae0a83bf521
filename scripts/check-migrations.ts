// `npm run check`: SQL that D1 would accept here and refuse or misread in production, numbers out of order,
// and migrations that changed after a deployment applied them.
import { checkMigrations, readApplied, readMigrations } from './migrations/files.ts';

const problems = checkMigrations(readMigrations(), readApplied());
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
