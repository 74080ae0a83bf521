import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CommandError } from '../terminal/errors.ts';

/** Accepts `123`, `#123` and `EW-123`. */
export function parseTaskId(text: string): number {
  const [, digits] = /^(?:#|EW-)?([1-9]\d{0,14})$/i.exec(text) ?? [];
  if (!digits) throw new CommandError(`"${text}" isn't a task id. Use an id such as 123, #123 or EW-123.`);
  return Number(digits);
}

/** Without an argument, takes the id from the name of the current Git branch, such as `feature/EW-123-sign-in`. */
export function getTaskId(given: string | undefined): number {
  if (given !== undefined) return parseTaskId(given);
  const branch = readBranchName(process.cwd());
  const id = findTaskIdInBranch(branch);
  if (id !== null) return id;
  throw new CommandError(
    branch
      ? `Which task? Pass its id. The branch name ${branch} doesn't contain one, such as EW-123.`
      : 'Which task? Pass its id, such as 123.',
  );
}

function findTaskIdInBranch(branch: string): number | null {
  const [, digits] = /(?:^|[^a-z0-9])EW-([1-9]\d{0,14})(?![a-z0-9])/i.exec(branch) ?? [];
  return digits ? Number(digits) : null;
}

/** Doesn't run `git`, because on Windows that could start a program in the current folder. */
function readBranchName(folder: string): string {
  const git = join(folder, '.git');
  // In a worktree, `.git` is a file that contains the path of the worktree's Git folder.
  const [, linked] = /^gitdir: (.+)$/m.exec(readOrEmpty(git)) ?? [];
  const head = readOrEmpty(join(linked ? resolve(folder, linked.trim()) : git, 'HEAD'));
  if (head !== '') return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? '';
  const parent = dirname(folder);
  return parent === folder ? '' : readBranchName(parent);
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
