// Checks out the code from before the newest migration, which serves requests with the new tables during a deployment.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/databases.ts';

export interface PreviousVersion {
  readonly folder: string;
  remove(): void;
}

/** Needs the history of the repository. The dependencies are those of the current version. */
export function checkOutPrevious(): PreviousVersion {
  const newest = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations');
  const parent = join(mkdtempSync(join(tmpdir(), 'edgework-previous-')));
  const folder = join(parent, 'edgework');
  git('worktree', 'add', '--quiet', '--detach', folder, `${newest}^`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['scripts/assets.ts'], { cwd: folder });
  return {
    folder,
    remove() {
      git('worktree', 'remove', '--force', folder);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
