// Checks out the code from before the newest migration. During a deployment, that code serves requests with the new
// tables.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/databases.ts';

export interface PreviousVersion {
  readonly folder: string;
  remove(): void;
}

/** Needs the Git history. The old code runs with the current dependencies. */
export function checkOutPreviousVersion(): PreviousVersion {
  const newest = runGit('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations');
  const parent = join(mkdtempSync(join(tmpdir(), 'edgework-previous-')));
  const folder = join(parent, 'edgework');
  runGit('worktree', 'add', '--quiet', '--detach', folder, `${newest}^`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['scripts/assets.ts'], { cwd: folder });
  return {
    folder,
    remove() {
      runGit('worktree', 'remove', '--force', folder);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function runGit(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
