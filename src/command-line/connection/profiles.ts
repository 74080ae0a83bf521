import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, exitCodes } from '../terminal/errors.ts';

export interface Profile {
  readonly url: string;
  readonly token: string;
  /** The OAuth client that the token belongs to. Null for an API key. */
  readonly clientId: string | null;
  readonly isReadOnly: boolean;
}

export interface Profiles {
  /** The name of the profile that commands use without `--profile`. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const DEFAULT_PROFILE = 'default';

export function getProfilesFile(): string {
  const { EW_CONFIG, XDG_CONFIG_HOME, APPDATA } = process.env;
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config');
  return EW_CONFIG || join(folder, 'edgework', 'profiles.json');
}

export function readProfiles(): Profiles {
  const file = getProfilesFile();
  try {
    const { current, profiles } = JSON.parse(readFileSync(file, 'utf8')) as Profiles;
    if (typeof current === 'string' && typeof profiles === 'object' && profiles !== null)
      return { current, profiles };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: DEFAULT_PROFILE, profiles: {} };
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(`${file} is damaged. Delete it and sign in again.`, exitCodes.failed);
}

/** Replaces the whole file, so that a crash can't damage it. Only its owner can read it, because it contains tokens. */
function writeProfiles(profiles: Profiles): void {
  const file = getProfilesFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${randomUUID()}`;
  try {
    writeFileSync(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}

/** Makes the profile the current one if no current profile exists. */
export function saveProfile(name: string, profile: Profile): void {
  const { current, profiles } = readProfiles();
  const added = { ...profiles, [name]: profile };
  writeProfiles({ current: Object.hasOwn(added, current) ? current : name, profiles: added });
}

export function removeProfile(name: string): void {
  const { current, profiles } = readProfiles();
  const { [name]: _, ...rest } = profiles;
  // No other profile becomes the current one, because commands would then change another workspace.
  writeProfiles({ current, profiles: rest });
}

export function setCurrentProfile(name: string): void {
  const { profiles } = readProfiles();
  requireProfile(name, profiles);
  writeProfiles({ current: name, profiles });
}

export function requireProfile(name: string, profiles: Profiles['profiles']): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const names = Object.keys(profiles);
  throw new CommandError(
    names.length === 0
      ? 'You are not signed in. Run `ew sign-in URL` with the URL of your server.'
      : `There is no profile named ${name}. Your profiles: ${names.join(', ')}.`,
    exitCodes.signIn,
  );
}
