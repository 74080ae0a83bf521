// `npm run check`: finds SQL that works locally but not on the real D1, numbers out of order, and migrations that have
// changed since a deployment applied them.
import { checkMigrations, readApplied, readMigrations } from './migrations/files.ts';

const problems = checkMigrations(readMigrations(), readApplied());
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
