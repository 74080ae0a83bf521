// `scripts/record.ts <file>` starts a server and sends it the requests of the OpenAPI document and the twelve jobs of
// an agent. It writes responses and costs to a file, with placeholders for ids, times and secrets. To compare two
// commits with `git diff --no-index`, record both on the same day, because the demo's dates depend on it.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { jobs } from '../bench/agents/jobs.ts';
import { grantToken } from '../test/clients/consent.ts';
import { type Answer, send, sendDocumentRequests } from './openapi/requests.ts';
import { withServer } from './own-server.ts';
import { createNormalizer } from './record/normalize.ts';

/** Headers that depend on the time, the connection or the rate limit. */
const unrecorded =
  /^(connection|content-length|date|keep-alive|server-timing|transfer-encoding|x-ratelimit-.+)$/;
/** Only the presence of these headers is recorded, because their values depend on ids and times. */
const presentOnly = /^(etag|retry-after|last-modified)$/;

const [file, ...others] = process.argv.slice(2);
if (!file || others.length > 0) {
  console.error('Name one file to write: node scripts/install.mjs scripts/record.ts <file>');
  process.exit(1);
}
const { text, json } = createNormalizer(Date.now());
const entries: object[] = [];
await withServer('record', async ({ origin }) => {
  const described = await send({ method: 'GET', url: `${origin}/openapi.json`, headers: {}, body: null });
  const document = JSON.parse(described.text);
  for (const { name, request, answer } of await sendDocumentRequests(origin, document)) {
    recordEntry(`${name}: ${request.method} ${request.url.slice(origin.length)}`, request.body, answer);
  }
  await runAgentJobs(origin, await grantToken(origin));
  entries.push({
    request: 'GET /openapi.json',
    body: JSON.parse(described.text.replaceAll(origin, '<origin>')),
  });
});
// npm and scripts/install.mjs change the working directory.
writeFileSync(
  resolve(process.env.INIT_CWD ?? process.env.PWD ?? '.', file),
  `${JSON.stringify(entries, null, 1)}\n`,
);
console.log(`${entries.length} requests recorded in ${file}.`);

async function runAgentJobs(origin: string, token: string) {
  const ask = async (name: string, method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = {
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2025-11-25',
    };
    const answer = await send({ method: 'POST', url: `${origin}/mcp`, headers, body });
    recordEntry(name, body, answer);
    return JSON.parse(answer.text).result;
  };
  await ask('tools/list', 'tools/list', {});
  for (const { name: job, runScript } of jobs) {
    await runScript(async (tool, args = {}) => {
      const result = await ask(`${job}: ${tool}`, 'tools/call', { name: tool, arguments: args });
      return result.structuredContent;
    });
  }
}

function recordEntry(request: string, sent: string | null, { status, headers, text: body }: Answer) {
  const shown = Object.entries(headers)
    .filter(([name]) => !unrecorded.test(name))
    .map(([name, value]) => [name, presentOnly.test(name) ? '<present>' : text(value)]);
  entries.push({
    request: text(request),
    ...(sent !== null && { sent: json(parse(sent)) }),
    status,
    headers: Object.fromEntries(shown.sort()),
    body: json(parse(body)),
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
