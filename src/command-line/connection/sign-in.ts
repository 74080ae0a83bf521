import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import { CommandError, exitCodes, isConnectionError } from '../terminal/errors.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';
import type { Profile } from './profiles.ts';

/** Registered without a port. The server accepts any port on this machine. */
const REGISTERED_REDIRECT = 'http://127.0.0.1/callback';
const CLIENT_NAME_CHARACTERS_MAX = 100;
const WAIT_MS = 10 * 60_000;
/** The scopes that every command except `ew api` needs. For `ew api`, `--scope` adds more. */
const commandScopes = [
  'tasks:read',
  'tasks:write',
  'projects:read',
  'time:read',
  'time:write',
  'profile:read',
  'events:read',
];

interface SignInOptions {
  readonly url: string;
  readonly isReadOnly: boolean;
  readonly extraScopes: readonly string[];
  readonly showUrl: (url: string) => void;
}

interface RequestOptions {
  /** Allows HTTP for a server on this machine. */
  readonly [oauth.allowInsecureRequests]: boolean;
  readonly [oauth.customFetch]: (url: string, init: object) => Promise<Response>;
}

interface OAuthServer {
  readonly server: oauth.AuthorizationServer;
  readonly options: RequestOptions;
}

/** Signs the person in with their browser, using OAuth with PKCE and a redirect to a port on this machine. */
export async function signInWithBrowser(options: SignInOptions): Promise<Profile> {
  try {
    return await authorizeInBrowser(options, await discoverServer(options.url));
  } catch (error) {
    throw toCommandError(error);
  }
}

/** Does nothing for an API key. */
export async function revokeToken({ url, token, clientId }: Profile): Promise<void> {
  if (clientId === null) return;
  const { server, options } = await discoverServer(url);
  const client = { client_id: clientId };
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), token, options),
  );
}

async function authorizeInBrowser(
  { url, isReadOnly, extraScopes, showUrl }: SignInOptions,
  { server, options }: OAuthServer,
): Promise<Profile> {
  // Registers a client for each sign-in, because the server may have been reset since the last one.
  const client = { client_id: await registerClient(server, options) };
  const state = oauth.generateRandomState();
  const callback = await listenForCallback(server, client, state);
  try {
    const verifier = oauth.generateRandomCodeVerifier();
    const page = new URL(server.authorization_endpoint ?? '');
    page.search = String(
      new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: callback.url,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        scope: chooseScopes(server, isReadOnly, extraScopes).join(' '),
        state,
      }),
    );
    showUrl(page.href);
    openBrowser(page.href);
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        await callback.received,
        callback.url,
        verifier,
        options,
      ),
    );
    return { url, token: granted.access_token, clientId: client.client_id, isReadOnly };
  } finally {
    callback.close();
  }
}

async function discoverServer(url: string): Promise<OAuthServer> {
  const issuer = new URL(url);
  const options: RequestOptions = {
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    [oauth.customFetch]: (each, init) => fetchWithTimeout(each, init as RequestInit),
  };
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
  const server = await oauth.processDiscoveryResponse(issuer, response).catch((error: Error) => {
    const { issuer: stated } = ((error.cause ?? {}) as { body?: { issuer?: string } }).body ?? {};
    throw new CommandError(
      stated
        ? `The server at ${url} calls itself ${stated}. Sign in with that URL.`
        : `There is no Edgework server at ${url}.`,
      exitCodes.unreachable,
    );
  });
  const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = server;
  // All endpoints must have the issuer's origin. The system's URL opener opens the first one, and the others receive
  // credentials.
  for (const each of [authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint]) {
    if (each === undefined || !URL.canParse(each) || new URL(each).origin !== issuer.origin)
      throw new CommandError(`There is no Edgework server at ${url}.`, exitCodes.unreachable);
  }
  return { server, options };
}

async function registerClient(
  server: oauth.AuthorizationServer,
  options: OAuthServer['options'],
): Promise<string> {
  const metadata = {
    client_name: `Edgework command line on ${hostname()}`.slice(0, CLIENT_NAME_CHARACTERS_MAX),
    redirect_uris: [REGISTERED_REDIRECT],
    token_endpoint_auth_method: 'none',
  };
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, options);
  return (await oauth.processDynamicClientRegistrationResponse(response)).client_id;
}

function chooseScopes(
  { scopes_supported: known = [] }: oauth.AuthorizationServer,
  isReadOnly: boolean,
  extraScopes: readonly string[],
): string[] {
  const unknown = extraScopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw new CommandError(`"${unknown}" isn't a scope. Use ${known.join(', ')}.`);
  const wanted = [...commandScopes, ...extraScopes];
  return known.filter((scope) => wanted.includes(scope) && (!isReadOnly || scope.endsWith(':read')));
}

async function listenForCallback(server: oauth.AuthorizationServer, client: oauth.Client, state: string) {
  // Node 20 has no `Promise.withResolvers`.
  let resolve: (parameters: URLSearchParams) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const received = new Promise<URLSearchParams>((...both) => {
    [resolve, reject] = both;
  });
  const listener = createServer(({ method, url: path = '' }, response) => {
    const address = `http://127.0.0.1${path}`;
    const url = URL.canParse(address) ? new URL(address) : null;
    // Other programs on this machine can send requests to this port, too.
    if (method !== 'GET' || url?.pathname !== '/callback' || url.searchParams.get('state') !== state) {
      sendText(response, 404, 'Not found');
      return;
    }
    try {
      resolve(oauth.validateAuthResponse(server, client, url, state));
      sendText(response, 200, "You're signed in. You can close this page and return to your terminal.");
    } catch (error) {
      reject(error);
      sendText(response, 200, 'You are not signed in. You can close this page and return to your terminal.');
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const timer = setTimeout(
    () =>
      reject(
        new CommandError('Sign-in timed out after 10 minutes. Run `ew sign-in` again.', exitCodes.signIn),
      ),
    WAIT_MS,
  );
  const close = () => {
    clearTimeout(timer);
    listener.close();
    listener.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`, received, close };
}

function sendText(response: ServerResponse, status: number, text: string) {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(text);
}

function toCommandError(error: unknown): unknown {
  if (error instanceof CommandError || isConnectionError(error)) return error;
  const { error: code, error_description: description } = error as Record<string, string | undefined>;
  if (code === 'access_denied')
    return new CommandError('Access was denied, so you are not signed in.', exitCodes.signIn);
  return new CommandError(`Sign-in failed: ${description ?? (error as Error).message}`, exitCodes.signIn);
}

/** Opens nothing but web pages. The URL is also printed, in case there is no browser. */
export function openBrowser(url: string): void {
  if (!/^https?:\/\//.test(url)) return;
  const [command = '', ...args] = getBrowserCommand();
  try {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // The person can open the printed URL.
  }
}

function getBrowserCommand(): string[] {
  const { EW_BROWSER, SystemRoot = 'C:\\Windows' } = process.env;
  if (EW_BROWSER) return [EW_BROWSER];
  if (process.platform === 'darwin') return ['/usr/bin/open'];
  // Uses an absolute path, because Windows would otherwise look in the current folder first.
  if (process.platform === 'win32')
    return [join(SystemRoot, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
