import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { fetchWithTimeout } from '../connection/fetch-with-timeout.ts';
import { getProfilesFile } from '../connection/profiles.ts';
import { getGlobalOptions, getProfile, openSession } from '../connection/session.ts';
import { CommandError, describeError, exitCodes } from '../terminal/errors.ts';
import { formatCount, print, style } from '../terminal/output.ts';

interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly detail: string;
}

const CLOCK_DIFFERENCE_SECONDS_MAX = 60;
const OTHER_USERS_PERMISSIONS = 0o077;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description("Check the connection, your sign-in, this machine's clock and the version of ew")
    .action(runDoctor);
}

async function runDoctor(_options: object, command: Command): Promise<void> {
  const options = getGlobalOptions(command);
  const checks = [
    checkProfilesFile(),
    ...(await runChecks('Server', async () => checkServer(getProfile(options).url))),
    ...(await runChecks('Account', async () => {
      const { name, role, workspace } = await openSession(options).client.getMe();
      return [{ name: 'Account', isOk: true, detail: `${name}, ${role} in ${workspace.name}` }];
    })),
  ];
  const lines = checks.map(({ name, isOk, detail }) => {
    const mark = isOk ? style('green', '✓') : style('red', '✗');
    return `${mark} ${name}: ${detail}`;
  });
  print({ json: checks, lines }, options.json === true);
  const failed = checks.filter(({ isOk }) => !isOk).length;
  if (failed > 0) throw new CommandError(`${formatCount(failed, 'check')} failed.`, exitCodes.failed);
}

async function runChecks(name: string, run: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await run();
  } catch (error) {
    return [{ name, isOk: false, detail: describeError(error) }];
  }
}

function checkProfilesFile(): Check {
  const file = getProfilesFile();
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return { name: 'Profiles', isOk: true, detail: `${file} doesn't exist yet` };
  const isPrivate = process.platform === 'win32' || (stats.mode & OTHER_USERS_PERMISSIONS) === 0;
  return {
    name: 'Profiles',
    isOk: isPrivate,
    detail: isPrivate ? file : `other users of this machine can read ${file}; run chmod 600 on it`,
  };
}

async function checkServer(url: string): Promise<Check[]> {
  const startedAt = Date.now();
  const response = await fetchWithTimeout(`${url}/health`);
  const ms = Date.now() - startedAt;
  return [
    { name: 'Server', isOk: response.ok, detail: `${url} returned ${response.status} in ${ms} ms` },
    checkClock(response.headers.get('Date'), ms),
    await checkVersion(url),
  ];
}

function checkClock(date: string | null, durationMs: number): Check {
  const seconds = Math.round(Math.abs(Date.now() - durationMs / 2 - Date.parse(date ?? '')) / 1000);
  const isUnknown = Number.isNaN(seconds);
  const isOk = isUnknown || seconds <= CLOCK_DIFFERENCE_SECONDS_MAX;
  const detail = isUnknown
    ? 'unknown, because the server sent no Date header'
    : isOk
      ? "in sync with the server's"
      : `differs from the server's by ${formatCount(seconds, 'second')}, so time entries would be recorded at the wrong time`;
  return { name: 'Clock', isOk, detail };
}

async function checkVersion(url: string): Promise<Check> {
  const response = await fetchWithTimeout(`${url}/ew.mjs`);
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const own = hash(readFileSync(fileURLToPath(import.meta.url)));
  const isOk = response.ok && hash(new Uint8Array(await response.arrayBuffer())) === own;
  return {
    name: 'Version',
    isOk,
    detail: isOk ? "the same as the server's" : `differs from the server's; download ${url}/ew.mjs again`,
  };
}
