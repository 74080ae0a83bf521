import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { getGlobalOptions, openSession } from '../connection/session.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { toSafeJson } from '../terminal/output.ts';
import { readStandardInput } from '../terminal/standard-input.ts';

interface ApiOptions {
  readonly data?: string;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function addApiCommand(program: Command): void {
  program
    .command('api')
    .description('Send a request to the API and print the response')
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'such as tasks?limit=5')
    .option('-d, --data <json>', 'body; @file reads a file, and - reads standard input')
    .action(callApi);
}

async function callApi(method: string, path: string, { data }: ApiOptions, command: Command): Promise<void> {
  const { profile, fetch: send } = openSession(getGlobalOptions(command));
  const upper = method.toUpperCase();
  if (!methods.includes(upper))
    throw new CommandError(`"${method}" isn't a supported method. Use ${methods.join(', ')}.`);
  if (data !== undefined && (upper === 'GET' || upper === 'DELETE'))
    throw new CommandError(`A ${upper} request can't have a body. Put parameters in the path.`);
  const url = toApiUrl(profile.url, path);
  const body = data === undefined ? undefined : await readBody(data);
  const response = await send(url, {
    method: upper,
    headers: {
      Authorization: `Bearer ${profile.token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(upper !== 'GET' && { 'Idempotency-Key': crypto.randomUUID() }),
    },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false;
  if (isJson) process.stdout.write(`${formatJson(bytes.toString('utf8'))}\n`);
  else process.stdout.write(bytes);
  if (response.ok) return;
  const codes: Readonly<Record<number, 3 | 4>> = { 401: exitCodes.signIn, 404: exitCodes.notFound };
  throw new CommandError(`The request failed with status ${response.status}.`, codes[response.status] ?? 1);
}

/** Rejects paths that lead to another host, because the request contains the token. */
function toApiUrl(origin: string, path: string): string {
  const url = new URL(`${origin}/v1/${path.replace(/^\/*(v1\/)?/, '')}`);
  if (url.origin !== origin || !url.pathname.startsWith('/v1/'))
    throw new CommandError(`"${path}" isn't an API path.`);
  return url.href;
}

async function readBody(given: string): Promise<string> {
  if (given === '-') return readStandardInput();
  return given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given;
}

/** Indents JSON for a terminal. Otherwise, returns it as it was received. */
function formatJson(text: string): string {
  if (!process.stdout.isTTY) return text;
  try {
    return toSafeJson(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return text;
  }
}
