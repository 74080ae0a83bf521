// Uploads a large random file in shuffled chunks from four senders, some chunks twice, and downloads the file again.
//   node scripts/install.mjs bench/upload.ts [--size 300] [--kill]
// Exits with 1 if the bytes differ, or if the server's memory grows by 40 MiB or more during the first file. A second
// file of the same size shows how much of that growth happens only once.
// --kill uploads only one file, kills the server (SIGKILL) in the middle and restarts it, and doesn't measure memory.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EARLY_GC_FLAGS } from '../scripts/local.ts';
import { prepareServer, startServer } from '../scripts/own-server.ts';
import { findRuntime } from './runtime.ts';

const MIB = 1024 ** 2;
const SENDERS = 4;
const SENT_TWICE_SHARE = 0.1;
const GROWTH_MIB_MAX = 40;

const { values: options } = parseArgs({
  options: { size: { type: 'string', default: '300' }, kill: { type: 'boolean', default: false } },
});
const sizeMib = Number(options.size);
if (!Number.isInteger(sizeMib) || sizeMib < 1) fail(`--size must be a number of MiB; got '${options.size}'`);

process.env.MINIFLARE_WORKERD_V8_FLAGS = EARLY_GC_FLAGS;
const prepared = await prepareServer('bench-upload');
process.once('exit', prepared.remove);
let server = await startServer(prepared);
let token = '';
({ token } = await call<{ token: string }>('POST', '/auth/login', {
  email: 'owner@demo.test',
  password: 'demo-password-1',
}));

const { data: projects } = await call<{ data: { id: number }[] }>('GET', '/projects?limit=1');
const projectId = projects[0]?.id ?? fail('There is no project to upload to.');
const task = await call<{ id: number }>('POST', '/tasks', { projectId, name: 'Upload bench' });

const passes = options.kill ? ['file, with the server killed in the middle'] : ['first file', 'second file'];
const done: TransferResult[] = [];
for (const name of passes) {
  const result = await transferFile(Buffer.concat(Array.from({ length: sizeMib }, () => randomBytes(MIB))));
  done.push(result);
  console.log(`\n${name}`);
  for (const [label, value] of Object.entries(result.rows)) console.log(`  ${label.padEnd(14)} ${value}`);
}
await server.stop();
const growthMib = done[0]?.growthMib ?? null;
if (growthMib !== null)
  console.log(`\nmemory growth during the first file: ${growthMib} MiB (must be below ${GROWTH_MIB_MAX})`);
const isSmall = growthMib === null || growthMib < GROWTH_MIB_MAX;
process.exit(done.every((each) => each.isEqual) && isSmall ? 0 : 1);

interface TransferResult {
  readonly rows: Record<string, string>;
  readonly isEqual: boolean;
  readonly growthMib: number | null;
}

interface UploadSession {
  readonly sessionId: string;
  readonly chunkSize: number;
  readonly totalChunks: number;
}

async function transferFile(file: Buffer): Promise<TransferResult> {
  const memory = startMemoryWatch(options.kill ? null : findRuntime(server.pid));
  const startedAt = performance.now();
  const session = await call<UploadSession>('POST', '/chunked-upload/init', {
    taskId: task.id,
    fileName: 'random.bin',
    fileType: 'application/octet-stream',
    fileSize: file.byteLength,
  });
  const { sent, killedAfter } = await sendChunks(file, session);
  const attachment = await call<{ id: number }>('POST', `/chunked-upload/complete/${session.sessionId}`);
  const sentMs = performance.now() - startedAt;
  const { url } = await call<{ url: string }>(
    'GET',
    `/tasks/${task.id}/attachments/${attachment.id}/download`,
  );
  const downloadedAt = performance.now();
  const download = await fetch(url);
  if (!download.ok) fail(`the download returned ${download.status}: ${await download.text()}`);
  const received = await hashResponse(download);
  const receivedMs = performance.now() - downloadedAt;
  const { text, growthMib } = await memory.end();
  const expected = computeSha256(file);
  const isEqual = received === expected;
  const mib = file.byteLength / MIB;
  const speed = (ms: number) => `in ${(ms / 1000).toFixed(1)} s, ${Math.round(mib / (ms / 1000))} MiB/s`;
  const rows = {
    size: `${mib} MiB in ${session.totalChunks} chunks of ${session.chunkSize / MIB} MiB`,
    sent: `${sent} chunks by ${SENDERS} senders ${speed(sentMs)}`,
    ...(killedAfter === null ? {} : { killed: `after ${killedAfter} chunks, and started again` }),
    received: speed(receivedMs),
    'SHA-256': isEqual ? `equal (${expected.slice(0, 16)}…)` : `DIFFERENT: ${expected} and ${received}`,
    'server memory': text,
  };
  return { rows, isEqual, growthMib };
}

async function sendChunks(
  file: Buffer,
  { sessionId, chunkSize, totalChunks }: UploadSession,
): Promise<{ sent: number; killedAfter: number | null }> {
  const numbers = Array.from({ length: totalChunks }, (_, index) => index + 1);
  const twice = shuffle([...numbers]).slice(0, Math.ceil(totalChunks * SENT_TWICE_SHARE));
  const queue = shuffle([...numbers, ...twice]);
  const killAt = options.kill ? Math.floor(queue.length / 2) : null;
  let sent = 0;
  let restart: Promise<void> | null = null;
  const sender = async () => {
    for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
      await restart;
      const bytes = file.subarray((number - 1) * chunkSize, number * chunkSize);
      const answer = await sendChunk(sessionId, number, bytes).catch(() => null);
      if (answer === null && options.kill) {
        queue.push(number);
        await wait(200);
        continue;
      }
      if (!answer?.ok) fail(`chunk ${number} returned ${answer?.status}: ${await answer?.text()}`);
      await answer.arrayBuffer();
      sent += 1;
      if (sent === killAt) restart = killAndRestart();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await restart;
  return { sent, killedAfter: killAt };
}

async function killAndRestart(): Promise<void> {
  await server.kill();
  await wait(1000);
  server = await startServer(prepared, true);
}

function startMemoryWatch(pid: number | null) {
  const read = () => (pid === null ? 0 : readResidentMib(pid));
  const before = read();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, 50);
  return {
    async end() {
      clearInterval(timer);
      await wait(1000);
      if (before === 0) return { growthMib: null, text: 'not measured' };
      const [first, last, most] = [before, read(), peak].map(Math.round);
      return {
        growthMib: Math.round(peak - before),
        text: `${first} MiB before, ${last} after, ${most} at its peak`,
      };
    },
  };
}

function readResidentMib(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0; // The process has ended, or this isn't Linux.
  }
}

function sendChunk(sessionId: string, number: number, bytes: Buffer): Promise<Response> {
  return fetch(`${prepared.origin}/v1/chunked-upload/chunk/${sessionId}/${number}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/octet-stream',
      ...(number % 2 === 0 ? { 'X-Chunk-SHA256': computeSha256(bytes) } : {}),
    },
    body: bytes,
  });
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${prepared.origin}/v1${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json = JSON.parse(await answer.text());
  if (!answer.ok) fail(`${method} ${path} returned ${answer.status}: ${json.error?.message}`);
  return json;
}

async function hashResponse({ body }: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body ?? []) hash.update(piece);
  return hash.digest('hex');
}

function computeSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function shuffle(items: number[]): number[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [items[index], items[other]] = [items[other] ?? 0, items[index] ?? 0];
  }
  return items;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
