// Files: presigned uploads, uploads in chunks, downloads with ranges and conditions, removal.
import { createHash } from 'node:crypto';
import type { Actor, Reply } from '../recorder.ts';
import type { People } from './people.ts';
import type { OwnTasks } from './tasks.ts';

const TEXT = { 'Content-Type': 'text/plain' };
const BYTES = { 'Content-Type': 'application/octet-stream' };

export async function recordFiles(people: People, { taskId, projectId }: OwnTasks) {
  const { newcomer, outsider } = people;
  const files = `/v1/tasks/${taskId}/attachments`;
  const first = await recordPresigned(people, files);
  await newcomer.call('GET', files);
  await newcomer.call('GET', `${files}?limit=1&fields=id,fileName`);
  const download = await newcomer.call('GET', `${files}/${first}/download`);
  await outsider.call('GET', `${files}/${first}/download`);
  await recordDownload(people, download);
  await recordChunks(people, taskId);
  await recordProjectFile(people, projectId);
  await newcomer.call('DELETE', `${files}/${first}`);
  await newcomer.call('DELETE', `${files}/${first}`);
  await people.nobody.call('GET', pathOf(download.read('url')));
}

async function recordPresigned({ newcomer, nobody }: People, files: string): Promise<number> {
  const file = { fileName: 'notes.txt', fileType: 'text/plain', fileSize: 11 };
  for (const wrong of [
    { ...file, fileName: 'a/b' },
    { ...file, fileType: 'text' },
    { ...file, fileSize: 0 },
    { ...file, fileSize: 6 * 1024 ** 3 },
  ]) {
    await newcomer.call('POST', `${files}/presign`, wrong);
  }
  const presigned = await newcomer.call('POST', `${files}/presign`, file);
  const confirm = { s3Key: presigned.read('s3Key') };
  await newcomer.call('POST', `${files}/confirm`, { s3Key: 'unknown' });
  await nobody.call('PUT', pathOf(presigned.read('uploadUrl')), undefined, {
    raw: 'Hello world',
    headers: TEXT,
  });
  const confirmed = await newcomer.call('POST', `${files}/confirm`, confirm);
  await newcomer.call('POST', `${files}/confirm`, confirm);
  await newcomer.call('GET', pathOf(confirmed.read('fileUrl')));
  await nobody.call('GET', pathOf(confirmed.read('fileUrl')));
  await recordWrongUploads(newcomer, nobody, files, file);
  return confirmed.read<number>('id');
}

/** Nothing uploaded, and other bytes than declared. */
async function recordWrongUploads(actor: Actor, nobody: Actor, files: string, file: object) {
  const missing = await actor.call('POST', `${files}/presign`, { ...file, fileName: 'missing.txt' });
  await actor.call('POST', `${files}/confirm`, { s3Key: missing.read('s3Key') });
  const other = await actor.call('POST', `${files}/presign`, { ...file, fileName: 'other.txt' });
  await nobody.call('PUT', `${pathOf(other.read('uploadUrl'))}0`, undefined, {
    raw: 'Hello world',
    headers: TEXT,
  });
}

async function recordDownload({ nobody }: People, download: Reply) {
  const path = pathOf(download.read('url'));
  const whole = await nobody.call('GET', path);
  const tag = String(whole.headers.etag);
  const conditions = [
    { Range: 'bytes=0-4' },
    { Range: 'bytes=-5' },
    { Range: 'bytes=90-' },
    { 'If-None-Match': tag },
    { 'If-Match': '"other"' },
    { Range: 'bytes=0-4', 'If-Range': '"other"' },
  ];
  for (const headers of conditions) await nobody.call('GET', path, undefined, { headers });
  await nobody.call('HEAD', path);
  await nobody.call(
    'GET',
    path.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  );
}

async function recordChunks({ newcomer, outsider }: People, taskId: number) {
  const start = { taskId, fileName: 'big.bin', fileType: 'application/octet-stream' };
  const init = (fileSize: number) => newcomer.call('POST', '/v1/chunked-upload/init', { ...start, fileSize });
  const chunkBytes = (await init(1)).read<number>('chunkSize');
  const session = (await init(chunkBytes + 5)).read('sessionId');
  const status = `/v1/chunked-upload/status/${session}`;
  const chunk = (part: number | string) => `/v1/chunked-upload/chunk/${session}/${part}`;
  const upload = (part: number | string, raw: Uint8Array | string, headers = {}) =>
    newcomer.call('POST', chunk(part), undefined, { raw, headers: { ...BYTES, ...headers } });
  await newcomer.call('GET', status);
  await upload(2, 'short');
  await upload(2, 'longer than it should be');
  await upload(3, 'short');
  await upload('two', 'short');
  await upload(2, 'short', { 'X-Chunk-SHA256': '0'.repeat(64) });
  await upload(2, 'short', { 'X-Chunk-SHA256': createHash('sha256').update('short').digest('hex') });
  await newcomer.call('POST', `/v1/chunked-upload/complete/${session}`, {});
  await upload(1, Buffer.alloc(chunkBytes, 'x'));
  await newcomer.call('GET', status);
  await outsider.call('GET', status);
  await newcomer.call('POST', `/v1/chunked-upload/complete/${session}`, {});
  await newcomer.call('POST', `/v1/chunked-upload/complete/${session}`, {});
  await newcomer.call('POST', `/v1/chunked-upload/abort/${session}`, {});
  const given = (await init(9)).read('sessionId');
  await newcomer.call('POST', `/v1/chunked-upload/abort/${given}`, {});
  await newcomer.call('POST', `/v1/chunked-upload/abort/${given}`, {});
  const deleted = (await init(9)).read('sessionId');
  await newcomer.call('DELETE', `/v1/chunked-upload/${deleted}`);
  await newcomer.call('GET', '/v1/chunked-upload/status/unknown');
  await newcomer.call('POST', '/v1/chunked-upload/init', {
    fileName: 'a',
    fileType: 'text/plain',
    fileSize: 1,
  });
}

async function recordProjectFile({ newcomer }: People, projectId: number) {
  const file = { projectId, fileName: 'plan.txt', fileType: 'text/plain', fileSize: 4 };
  const session = (await newcomer.call('POST', '/v1/chunked-upload/init', file)).read('sessionId');
  await newcomer.call('POST', `/v1/chunked-upload/chunk/${session}/1`, undefined, {
    raw: 'plan',
    headers: BYTES,
  });
  const made = await newcomer.call('POST', `/v1/chunked-upload/complete/${session}`, {});
  const path = `/v1/projects/${projectId}/attachments`;
  await newcomer.call('GET', path);
  await newcomer.call('GET', `${path}/${made.read<number>('id')}/download`);
  await newcomer.call('DELETE', `${path}/${made.read<number>('id')}`);
  await newcomer.call('DELETE', `${path}/${made.read<number>('id')}`);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
