import type { Command } from 'commander';
import { createClient } from '../../../.wrangler/assets/client.js';
import { fetchWithTimeout, RETRIES } from '../connection/fetch-with-timeout.ts';
import {
  type Profile,
  readProfiles,
  removeProfile,
  saveProfile,
  setCurrentProfile,
} from '../connection/profiles.ts';
import { toServerUrl } from '../connection/server-url.ts';
import {
  getEnvironmentProfile,
  getGlobalOptions,
  getProfileName,
  type Session,
  toToken,
  withSession,
} from '../connection/session.ts';
import { revokeToken, signInWithBrowser } from '../connection/sign-in.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { formatFields, print, printHint, printTable } from '../terminal/output.ts';
import { ask, readStandardInput } from '../terminal/standard-input.ts';
import { splitList } from './parse-options.ts';

interface SignInOptions {
  readonly withToken?: true;
  readonly scope?: readonly string[];
}

export function addAccountCommands(program: Command): void {
  program
    .command('sign-in')
    .description('Sign in with your browser, or with an API key')
    .argument('[url]', 'URL of the server, such as https://edgework.example.com')
    .option('--with-token', 'read an API key from standard input')
    .option('--scope <scopes>', 'further scopes for ew api, comma-separated', splitList)
    .addHelpText('after', '\nWith --read-only, ew can read your data but not change it.')
    .action(signIn);
  program
    .command('sign-out')
    .description('Remove the profile, and revoke its token unless it is an API key')
    .action(signOut);
  program.command('me').description('Show who you are signed in as').action(withSession(showMe));
  const profile = program.command('profile').description('List profiles and switch between them');
  profile.command('list', { isDefault: true }).description('List profiles').action(listProfiles);
  profile
    .command('use')
    .description('Use a profile by default')
    .argument('<name>')
    .action((name: string, _options: object, command: Command) => {
      setCurrentProfile(name);
      print({ json: { current: name }, lines: [`Commands now use the profile ${name}.`] }, isJson(command));
    });
}

const isJson = (command: Command) => getGlobalOptions(command).json === true;

async function signIn(
  given: string | undefined,
  { withToken, scope: extraScopes = [] }: SignInOptions,
  command: Command,
): Promise<void> {
  const options = getGlobalOptions(command);
  const { profiles } = readProfiles();
  const selected = getProfileName(options);
  const stored = Object.hasOwn(profiles, selected) ? profiles[selected] : undefined;
  if (given === undefined && !stored)
    throw new CommandError(
      'Which server? Run `ew sign-in URL`, for example `ew sign-in https://edgework.example.com`.',
    );
  const url = toServerUrl(given ?? stored?.url ?? '');
  // A sign-in to another server must not replace a profile that the person hasn't named.
  const isNamed = options.profile !== undefined || Boolean(process.env.EW_PROFILE);
  const name = isNamed || !stored || stored.url === url ? selected : new URL(url).host;
  const replaced = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const isReadOnly = options.readOnly ?? replaced?.isReadOnly ?? false;
  const profile = withToken
    ? { url, token: await readToken(), clientId: null, isReadOnly }
    : await signInWithBrowser({
        url,
        isReadOnly,
        extraScopes,
        showUrl: (page) => printHint(`Sign in on this page:\n${page}`),
      });
  const me = await createClient({
    baseUrl: url,
    token: profile.token,
    fetch: fetchWithTimeout,
    retries: RETRIES,
  })
    .getMe()
    .catch(async (error: unknown) => {
      await revokeToken(profile).catch(() => undefined);
      throw error;
    });
  saveProfile(name, profile);
  if (replaced) await revokeToken(replaced).catch(() => undefined);
  const { current } = readProfiles();
  print(
    {
      json: { profile: name, url, person: me },
      lines: [
        `Signed in to ${me.workspace.name} as ${me.name}${isReadOnly ? ', read-only' : ''}.`,
        ...(name === current
          ? []
          : [`Use this profile with --profile ${name}, or run \`ew profile use ${name}\`.`]),
      ],
    },
    options.json === true,
  );
  if (process.env.EW_URL || process.env.EW_TOKEN)
    printHint('Commands use EW_URL and EW_TOKEN until you unset them.');
}

async function readToken(): Promise<string> {
  const text = process.stdin.isTTY ? await ask('API key: ', { isHidden: true }) : await readStandardInput();
  return toToken(text, 'Standard input');
}

async function signOut(_options: object, command: Command): Promise<void> {
  const options = getGlobalOptions(command);
  if (getEnvironmentProfile(options))
    throw new CommandError('EW_TOKEN is in use. Unset it, or sign out of a profile with --profile.');
  const name = getProfileName(options);
  const { profiles } = readProfiles();
  const profile: Profile | undefined = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile) throw new CommandError(`There is no profile named ${name}.`, exitCodes.signIn);
  let isRevoked = profile.clientId !== null;
  try {
    await revokeToken(profile);
  } catch {
    isRevoked = false;
  }
  removeProfile(name);
  const reminder = isRevoked
    ? ''
    : ' The token is still valid. To revoke it, open Connected apps in the app.';
  print({ json: { profile: name, isRevoked }, lines: [`Signed out.${reminder}`] }, options.json === true);
}

async function showMe({ client, profile }: Session) {
  const me = await client.getMe();
  return {
    json: me,
    lines: formatFields({
      Name: me.name,
      Email: me.email,
      Role: me.role,
      Workspace: `${me.workspace.name} (${me.workspace.plan})`,
      Server: profile.url,
      Access: profile.isReadOnly ? 'read-only' : null,
    }),
  };
}

function listProfiles(_options: object, command: Command): void {
  const { current, profiles } = readProfiles();
  const rows = Object.entries(profiles).map(([name, { url, isReadOnly }]) => ({
    name,
    url,
    isReadOnly,
    isCurrent: name === current,
  }));
  if (isJson(command)) {
    print({ json: rows, lines: [] }, true);
    return;
  }
  printTable(
    ['', 'PROFILE', 'SERVER', 'ACCESS'],
    rows.map((row) => [
      row.isCurrent ? '*' : '',
      row.name,
      row.url,
      row.isReadOnly ? 'read-only' : 'read and write',
    ]),
    'You are not signed in.',
  );
}
