// A large random file through a running server: chunked, by four senders, shuffled, some chunks twice; then down again.
//   BASE_URL=http://localhost:8787 KEY=ew_live_… node bench/upload.mjs [--size 300] [--pid 1234] [--kill]
// Exits 1 where the bytes differ, or where the server grows by 40 MiB or more at any moment of the first file. A second
// file of the same size shows how much of that was only what any first file loads.
// --kill starts a server of its own, kills it (SIGKILL) in the middle of the upload, starts it again and goes on.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const MIB = 1024 ** 2;
const SENDERS = 4;
const SENT_TWICE = 0.1;
const GROWTH_MIB_MAX = 40;
const READY_MS_MAX = 120_000;

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '300' },
    pid: { type: 'string' },
    kill: { type: 'boolean', default: false },
    port: { type: 'string', default: '8899' },
  },
});
const sizeMib = Number(options.size);
if (!Number.isInteger(sizeMib) || sizeMib < 1) fail(`--size must be a number of MiB; got '${options.size}'`);

let server = options.kill ? await startServer() : null;
const base = server?.base ?? process.env.BASE_URL ?? 'http://localhost:8787';
let key =
  server?.key ?? process.env.KEY ?? fail('KEY is not set: take the API key that `npm start` printed.');

const { data: projects } = await call('GET', '/projects?limit=1');
const task = await call('POST', '/tasks', { projectId: projects[0].id, name: 'Upload bench' });

const passes = options.kill ? ['a file, killed in the middle'] : ['first file', 'second file'];
const done = [];
for (const name of passes) {
  const result = await transfer(Buffer.concat(Array.from({ length: sizeMib }, () => randomBytes(MIB))));
  done.push(result);
  console.log(`\n${name}`);
  for (const [label, value] of Object.entries(result.rows)) console.log(`  ${label.padEnd(14)} ${value}`);
}
if (server) stopServer(server.child);
const [{ growthMib }] = done;
if (growthMib !== null)
  console.log(`\nthe first file made the server grow by ${growthMib} MiB (allowed: below ${GROWTH_MIB_MAX})`);
const isSmall = growthMib === null || growthMib < GROWTH_MIB_MAX;
process.exit(done.every((each) => each.isEqual) && isSmall ? 0 : 1);

/** A file up and down, once. */
async function transfer(file) {
  const memory = watchMemory();
  const startedAt = performance.now();
  const session = await call('POST', '/chunked-upload/init', {
    taskId: task.id,
    fileName: 'random.bin',
    fileType: 'application/octet-stream',
    fileSize: file.byteLength,
  });
  const { sent, killedAfter } = await sendChunks(file, session);
  const attachment = await call('POST', `/chunked-upload/complete/${session.sessionId}`);
  const sentMs = performance.now() - startedAt;
  const { url } = await call('GET', `/tasks/${task.id}/attachments/${attachment.id}/download`);
  const downloadedAt = performance.now();
  const download = await fetch(url);
  if (!download.ok) fail(`the download answered ${download.status}: ${await download.text()}`);
  const received = await hashOf(download.body);
  const receivedMs = performance.now() - downloadedAt;
  const { text, growthMib } = await memory.end();
  const expected = sha256(file);
  const isEqual = received === expected;
  const mib = file.byteLength / MIB;
  const speed = (ms) => `in ${(ms / 1000).toFixed(1)} s, ${Math.round(mib / (ms / 1000))} MiB/s`;
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

async function sendChunks(file, { sessionId, chunkSize, totalChunks }) {
  const numbers = Array.from({ length: totalChunks }, (_, index) => index + 1);
  const twice = shuffle([...numbers]).slice(0, Math.ceil(totalChunks * SENT_TWICE));
  const queue = shuffle([...numbers, ...twice]);
  const killAt = options.kill ? Math.floor(queue.length / 2) : null;
  let sent = 0;
  let restart = null;
  const sender = async () => {
    for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
      await restart;
      const bytes = file.subarray((number - 1) * chunkSize, number * chunkSize);
      const answer = await sendChunk(sessionId, number, bytes).catch(() => null);
      // Whatever was on its way when the server was killed goes again.
      if (answer === null && options.kill) {
        queue.push(number);
        await wait(200);
        continue;
      }
      if (!answer?.ok) fail(`chunk ${number} answered ${answer?.status}: ${await answer?.text()}`);
      await answer.arrayBuffer();
      sent += 1;
      if (sent === killAt) restart = killAndRestart();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await restart;
  return { sent, killedAfter: killAt };
}

async function killAndRestart() {
  // wrangler leads a group of its own and starts its runtimes again, so everything ends at once.
  for (const pid of [server.child.pid, ...descendantsOf(server.child.pid)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {} // ended with its parent
  }
  await wait(1000);
  server = await startServer();
  key = server.key;
}

function sendChunk(sessionId, number, bytes) {
  return fetch(`${base}/v1/chunked-upload/chunk/${sessionId}/${number}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/octet-stream',
      // Half of them are checked on the way.
      ...(number % 2 === 0 ? { 'X-Chunk-SHA256': sha256(bytes) } : {}),
    },
    body: bytes,
  });
}

async function call(method, path, body) {
  const answer = await fetch(`${base}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json = await answer.json();
  if (!answer.ok) fail(`${method} ${path} answered ${answer.status}: ${json.error?.message}`);
  return json;
}

async function hashOf(body) {
  const hash = createHash('sha256');
  for await (const piece of body) hash.update(piece);
  return hash.digest('hex');
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

function shuffle(items) {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [items[index], items[other]] = [items[other], items[index]];
  }
  return items;
}

/** Resident memory of every workerd behind the port (`wrangler dev` runs two); nothing where none is found. */
function watchMemory() {
  const pids = options.pid ? [Number(options.pid)] : options.kill ? [] : runtimesOf(new URL(base).port);
  const read = () => pids.reduce((sum, pid) => sum + residentMib(pid), 0);
  const before = read();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, 50);
  return {
    async end() {
      clearInterval(timer);
      await wait(1000);
      const after = read();
      if (before === 0) return { growthMib: null, text: 'not measured' };
      return {
        growthMib: Math.round(peak - before),
        text: `${Math.round(before)} MiB before, ${Math.round(after)} after, ${Math.round(peak)} at its peak`,
      };
    },
  };
}

function residentMib(pid) {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0; // ended, or no Linux
  }
}

/** Every workerd that belongs to whatever listens on the port. */
function runtimesOf(port) {
  const [listener] = listenersOf(port);
  if (listener === undefined) return [];
  const family = new Set([listener, ...descendantsOf(listener), ...siblingsOf(listener)]);
  return [...family].filter((pid) => commandOf(pid).includes('workerd'));
}

function listenersOf(port) {
  try {
    const text = execFileSync('ss', ['-ltnpH', `sport = :${port}`], { encoding: 'utf8' });
    return [...new Set([...text.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid)))];
  } catch {
    return [];
  }
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return []; // ended meanwhile
      }
    });
}

function descendantsOf(pid, all = processes()) {
  const children = all.filter((each) => each.parent === pid).map((each) => each.pid);
  return children.flatMap((child) => [child, ...descendantsOf(child, all)]);
}

function siblingsOf(pid) {
  const all = processes();
  const parent = all.find((each) => each.pid === pid)?.parent;
  return parent === undefined || parent === 1 ? [] : descendantsOf(parent, all);
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function startServer() {
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: options.port },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (piece) => {
    output += piece;
  });
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline) {
    const printed = /export KEY=(ew_live_\w+)/.exec(output)?.[1];
    if (printed) return { child, key: printed, base: `http://localhost:${options.port}` };
    await wait(100);
  }
  return fail(`The server did not start:\n${output}`);
}

function stopServer(child) {
  process.kill(-child.pid, 'SIGTERM');
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
