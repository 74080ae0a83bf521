import type { Command } from 'commander';
import { createClient, type EdgeworkClient } from '../../../.wrangler/assets/client.js';
import { CommandError } from '../terminal/errors.ts';
import { type CommandOutput, print } from '../terminal/output.ts';
import { fetchWithTimeout, RETRIES } from './fetch-with-timeout.ts';
import { type Profile, readProfiles, requireProfile } from './profiles.ts';
import { toServerUrl } from './server-url.ts';

interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
  readonly readOnly?: boolean;
}

export interface Session {
  readonly client: EdgeworkClient;
  readonly profile: Profile;
  readonly isJson: boolean;
  /** Like the global `fetch`, but with a timeout. If the session is read-only, allows only GET requests. */
  readonly fetch: typeof fetch;
}

export function getGlobalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

/** Returns the name that `--profile` or `EW_PROFILE` gives, or else the current profile's. */
export function getProfileName({ profile }: GlobalOptions): string {
  return profile ?? (process.env.EW_PROFILE || readProfiles().current);
}

/** `EW_URL` and `EW_TOKEN` replace the profile, for example in CI. Null with `--profile`, or if neither is set. */
export function getEnvironmentProfile({ profile }: GlobalOptions): Profile | null {
  const { EW_URL: url = '', EW_TOKEN: token = '' } = process.env;
  if (profile !== undefined || (url === '' && token === '')) return null;
  if (url === '') throw new CommandError("EW_TOKEN is set, but EW_URL isn't. Set both, or neither.");
  if (token === '') throw new CommandError("EW_URL is set, but EW_TOKEN isn't. Set both, or neither.");
  return { url: toServerUrl(url), token: toToken(token, 'EW_TOKEN'), clientId: null, isReadOnly: false };
}

/** Rejects text that can't be sent in a header, without printing it. */
export function toToken(text: string, source: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CommandError(`${source} doesn't contain an API key.`);
}

export function getProfile(options: GlobalOptions): Profile {
  return getEnvironmentProfile(options) ?? requireProfile(getProfileName(options), readProfiles().profiles);
}

export function openSession(options: GlobalOptions): Session {
  const profile = getProfile(options);
  const isReadOnly = options.readOnly === true || profile.isReadOnly;
  // Returns a response rather than throwing, because the client would repeat the request after an error.
  const send: typeof fetch = async (input, init) =>
    isReadOnly && (init?.method ?? 'GET') !== 'GET' ? rejectChange() : fetchWithTimeout(input, init);
  const client = createClient({ baseUrl: profile.url, token: profile.token, fetch: send, retries: RETRIES });
  return { client, profile, isJson: options.json === true, fetch: send };
}

function rejectChange(): Response {
  const message = 'Nothing was changed, because this profile or command is read-only.';
  return Response.json({ error: { code: 'forbidden', message } }, { status: 403 });
}

type Action<A extends unknown[]> = (session: Session, ...given: A) => Promise<CommandOutput | undefined>;

/** Adapts an action for Commander, which passes the command as the last argument. */
export function withSession<A extends unknown[]>(action: Action<A>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.pop() as Command;
    const session = openSession(getGlobalOptions(command));
    const output = await action(session, ...(given as A));
    if (output) print(output, session.isJson);
  };
}
