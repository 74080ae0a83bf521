// Plays the calls of `npm run record` through Prism as a validating proxy. No answer may differ from the document, refusals
// included, and no request that the server carries out may break it.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { send, type Wanted } from '../record/http.ts';
import { recordAll } from '../record/run.ts';
import type { Document } from './document.ts';

const CALLS_MIN = 300;
const READY_MS_MAX = 60_000;

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

export async function playThroughPrism(tools: string, folder: string, origin: string) {
  const text = await (await fetch(`${origin}/openapi.json`)).text();
  const file = join(folder, 'served.json');
  writeFileSync(file, text);
  const port = await freePort();
  const prism = spawn(
    join(tools, 'prism'),
    ['proxy', file, `${origin}/v1`, '--host=127.0.0.1', `--port=${port}`, '--verboseLevel=silent'],
    { stdio: 'ignore' },
  );
  try {
    const proxy = `http://127.0.0.1:${port}`;
    await untilReady(proxy);
    const find = finderOf(JSON.parse(text) as Document);
    const problems: string[] = [];
    let calls = 0;
    await recordAll(origin, async (wanted) => {
      const url = new URL(wanted.url);
      const operation = url.origin === origin && find(wanted.method, url.pathname);
      if (!operation || isBeyondPrism(wanted)) return send(wanted);
      calls += 1;
      const described = operation.requestBody ? wanted : withoutEmptyBody(wanted);
      const rest = url.pathname.slice('/v1'.length) + url.search;
      const answer = await send({ ...described, url: proxy + rest });
      problems.push(...problemsOf(wanted, answer));
      return answer;
    });
    if (calls < CALLS_MIN) problems.push(`only ${calls} calls went through it`);
    return { calls, problems };
  } finally {
    prism.kill();
  }
}

function problemsOf({ method, url }: Wanted, { status, headers, text }: Awaited<ReturnType<typeof send>>) {
  if (String(headers['content-type']).includes('problem+json')) {
    return [`${method} ${url}: Prism answered ${status}: ${text.slice(0, 300)}`];
  }
  const violations = JSON.parse(String(headers['sl-violations'] ?? '[]')) as Violation[];
  return violations
    .filter(({ location }) => location[0] === 'response' || status < 400)
    .map(({ location, message }) => `${method} ${url} answered ${status}: ${location.join('.')} ${message}`);
}

/** Prism never answers a body that says it is JSON and is not, and takes a 304 for a broken answer. */
function isBeyondPrism({ headers, body }: Wanted): boolean {
  if ('If-None-Match' in headers) return true;
  if (headers['Content-Type'] !== 'application/json' || typeof body !== 'string') return false;
  try {
    JSON.parse(body);
    return false;
  } catch {
    return true;
  }
}

/** The service takes `{}` where it needs no body; a client of the document sends none. */
function withoutEmptyBody(wanted: Wanted): Wanted {
  if (wanted.body !== '{}') return wanted;
  const { 'Content-Type': _type, ...headers } = wanted.headers;
  return { ...wanted, headers, body: null };
}

/** Finds the operation; a call that the document does not have answers 404 without Prism. */
function finderOf({ paths }: Document) {
  const known = Object.entries(paths).flatMap(([path, methods]) => {
    const pattern = new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern,
      operation,
    }));
  });
  return (method: string, path: string) =>
    known.find((each) => each.method === method && each.pattern.test(path))?.operation;
}

async function untilReady(address: string): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline) {
    if (await fetch(address).catch(() => null)) return;
    await sleep(200);
  }
  throw new Error('Prism did not answer in time');
}
