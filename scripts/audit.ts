// What is installed and what is committed: exact versions from one lock file, licences, secrets, known advisories.
// All of it works offline; the registry is asked for advisories where it answers.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAdvisories } from './audit/advisories.ts';
import { findLicenceProblems, installedLicence } from './audit/licences.ts';
import { findLockProblems, type Lock } from './audit/lock.ts';
import { findSecrets } from './audit/secrets.ts';
import { root } from './databases.ts';

const FILE_BYTES_MAX = 2_000_000;

const lock: Lock = readJson('package-lock.json');
const licences = findLicenceProblems(lock.packages, installedLicence);
const files = listFiles();
const problems = [
  ...findLockProblems(readJson('package.json'), lock),
  ...licences,
  ...files.flatMap(({ path, text }) => findSecrets(path, text)),
];
console.log(
  `${Object.keys(lock.packages).length - 1} locked packages and ${files.length} files looked through`,
);
problems.push(...findAdvisories());
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

/** Everything that git would commit; where there is no git, nothing but the lock file can be looked at. */
function listFiles(): { path: string; text: string }[] {
  let paths: string[];
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    paths = [...new Set(listed.split('\0').filter(Boolean))];
  } catch {
    console.log('no git here: the files were not searched for secrets');
    return [];
  }
  return paths.flatMap((path) => {
    const file = join(root, path);
    if (!existsSync(file)) return [];
    const bytes = readFileSync(file);
    return bytes.length > FILE_BYTES_MAX || bytes.includes(0) ? [] : [{ path, text: bytes.toString('utf8') }];
  });
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
