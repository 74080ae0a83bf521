import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { demo } from '../browser/server.ts';

const CHUNK_BYTES = 8 * 1024 * 1024;
const TASKS = 60;

let prepared: PreparedServer;
let server: RunningServer;
let token = '';
let taskId = 0;
let projectId = 0;

before(async () => {
  prepared = await prepareServer('killed-test');
  server = await startServer(prepared);
  token = (await callApi('POST', '/auth/login', { email: demo.owner, password: demo.password })).token;
  taskId = (await callApi('GET', '/tasks?limit=1')).data[0].id;
  projectId = (await callApi('GET', '/projects?limit=1')).data[0].id;
});
after(async () => {
  await server?.stop();
  prepared?.remove();
});

function sendRequest(
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
  key?: string,
): Promise<Response> {
  const isBytes = body instanceof Uint8Array;
  return fetch(`${prepared.origin}/v1${path}`, {
    method,
    headers: {
      'Content-Type': isBytes ? 'application/octet-stream' : 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(key && { 'Idempotency-Key': key }),
    },
    ...(body && { body: isBytes ? body : JSON.stringify(body) }),
  });
}

async function callApi(
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
  key?: string,
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the endpoint.
): Promise<any> {
  const response = await sendRequest(method, path, body, key);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function killAndRestart() {
  await server.kill();
  server = await startServer(prepared, true);
}

async function sendHalfAndKill(path: string, bytes: Uint8Array) {
  const upload = request(`${prepared.origin}/v1${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/octet-stream',
      'Content-Length': bytes.length,
    },
  });
  const ended = once(upload, 'response').then(
    () => 'a response',
    () => 'an error',
  );
  await new Promise((sent) => upload.write(bytes.subarray(0, bytes.length / 2), sent));
  await killAndRestart();
  upload.destroy();
  return ended;
}

const computeHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('an upload can be continued after the server is killed in the middle of a chunk, and a cut-off download fails', async () => {
  const bytes = new Uint8Array(randomBytes(2 * CHUNK_BYTES + 1_000));
  const { sessionId } = await callApi('POST', '/chunked-upload/init', {
    taskId,
    fileName: 'film.bin',
    fileType: 'application/octet-stream',
    fileSize: bytes.length,
  });
  const getPart = (number: number) => bytes.slice((number - 1) * CHUNK_BYTES, number * CHUNK_BYTES);
  await callApi('POST', `/chunked-upload/chunk/${sessionId}/1`, getPart(1));
  assert.equal(await sendHalfAndKill(`/chunked-upload/chunk/${sessionId}/2`, getPart(2)), 'an error');

  const { missingParts } = await callApi('GET', `/chunked-upload/status/${sessionId}`);
  assert.deepEqual(missingParts, [2, 3]);
  for (const number of missingParts)
    await callApi('POST', `/chunked-upload/chunk/${sessionId}/${number}`, getPart(number));
  const file = await callApi('POST', `/chunked-upload/complete/${sessionId}`);
  assert.equal((await callApi('POST', `/chunked-upload/complete/${sessionId}`)).id, file.id);

  const getDownloadUrl = async () =>
    (await callApi('GET', `/tasks/${taskId}/attachments/${file.id}/download`)).url;
  const cut = await fetch(await getDownloadUrl());
  const reader = cut.body?.getReader();
  await reader?.read();
  await killAndRestart();
  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
  });
  const whole = await fetch(await getDownloadUrl());
  assert.equal(computeHash(new Uint8Array(await whole.arrayBuffer())), computeHash(bytes));
});

test('a bulk request whose response is cut off is applied once, and a retry returns the whole response', async () => {
  const description = `<p>${'long text '.repeat(1_000)}</p>`;
  const name = `Cut off ${randomUUID()}`;
  const body = { tasks: Array.from({ length: TASKS }, () => ({ projectId, name, description })) };
  const key = randomUUID();
  const response = await sendRequest('POST', '/tasks/bulk', body, key);
  assert.equal(response.status, 201);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  assert.ok(first?.value?.length);
  await killAndRestart();
  const repeated = await sendRequest('POST', '/tasks/bulk', body, key);
  assert.equal(repeated.headers.get('Idempotent-Replayed'), 'true');
  const { data } = (await repeated.json()) as { data: { task: { description: string } }[] };
  assert.equal(data.length, TASKS);
  for (const { task } of data) assert.equal(task.description, description);
  const found = await callApi('GET', `/tasks?search=${encodeURIComponent(name)}&limit=1`);
  assert.equal(found.meta.total, TASKS);
});
