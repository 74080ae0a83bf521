// Sends the requests of the OpenAPI document through Prism, a validating proxy. Every response, including errors,
// must match the document, and so must every request that succeeds.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../local.ts';
import type { Document } from './document.ts';
import { type Answer, type RequestToSend, send, sendDocumentRequests } from './requests.ts';

const READY_MS_MAX = 60_000;

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

export async function checkWithPrism(tools: string, folder: string, origin: string, text: string) {
  const file = join(folder, 'served.json');
  writeFileSync(file, text);
  const port = await findFreePort();
  const prism = spawn(
    join(tools, 'prism'),
    ['proxy', file, `${origin}/v1`, '--host=127.0.0.1', `--port=${port}`, '--verboseLevel=silent'],
    { stdio: 'ignore' },
  );
  try {
    const proxy = `http://127.0.0.1:${port}`;
    await waitUntilReady(proxy);
    const violations: string[] = [];
    const sentRequests = await sendDocumentRequests(origin, JSON.parse(text) as Document, async (request) => {
      const answer = await send({ ...request, url: request.url.replace(`${origin}/v1`, proxy) });
      violations.push(...findProblems(request, answer));
      return answer;
    });
    return { sentRequests, violations };
  } finally {
    prism.kill();
  }
}

function findProblems({ method, url }: RequestToSend, { status, headers, text }: Answer): string[] {
  if (headers['content-type']?.includes('problem+json')) {
    return [`${method} ${url}: Prism returned ${status}: ${text.slice(0, 300)}`];
  }
  const violations = JSON.parse(headers['sl-violations'] ?? '[]') as Violation[];
  return violations
    .filter(({ location }) => location[0] === 'response' || status < 400)
    .map(({ location, message }) => `${method} ${url} returned ${status}: ${location.join('.')} ${message}`);
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline) {
    if (await fetch(url).catch(() => null)) return;
    await sleep(200);
  }
  throw new Error('Prism did not start in time');
}
