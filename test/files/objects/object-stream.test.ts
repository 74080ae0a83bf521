import { encodeHexLowerCase } from '@oslojs/encoding';
import { expect, it } from 'vitest';
import { streamObjectRange } from '../../../src/files/objects/object-stream.ts';
import { env } from '../../support/env.ts';

const MIB = 1024 ** 2;
const PIECE_BYTES = 2 * MIB;
const OBJECT_BYTES = 10 * MIB + 7;

it('a download stream contains every byte of the requested range', async () => {
  const { key, bytes, etag } = await storeObject();
  for (const [offset, length] of [
    [0, OBJECT_BYTES],
    [1, OBJECT_BYTES - 1],
    [PIECE_BYTES - 1, 2 * PIECE_BYTES + 2],
    [OBJECT_BYTES - 1, 1],
  ] as const) {
    const body = streamObjectRange(env.FILES, { key, etag, offset, length });
    const received = new Uint8Array(await new Response(body).arrayBuffer());
    expect(await sha256(received)).toBe(await sha256(bytes.subarray(offset, offset + length)));
  }
});

it('a download stream requests only the current piece and the next one from R2', async () => {
  const { key, etag } = await storeObject();
  const { bucket, asked } = watchBucket();
  const body = streamObjectRange(bucket, { key, etag, offset: 0, length: OBJECT_BYTES });
  const reader = body.getReader();
  await reader.read();
  await scheduler.wait(100);
  expect(asked).toEqual([0, PIECE_BYTES]);
  await reader.cancel();
  await scheduler.wait(100);
  expect(asked).toEqual([0, PIECE_BYTES]);
});

it('a download stream is aborted if R2 fails or the object is replaced', async () => {
  for (const spoil of ['fail', 'replace'] as const) {
    const { key, etag } = await storeObject();
    const { bucket } = watchBucket(async (offset) => {
      if (offset < 8 * MIB) return;
      if (spoil === 'fail') throw new Error('We encountered an internal error. Please try again. (10001)');
      await env.FILES.put(key, new Uint8Array(OBJECT_BYTES));
    });
    const body = streamObjectRange(bucket, { key, etag, offset: 0, length: OBJECT_BYTES });
    await expect(new Response(body).arrayBuffer(), spoil).rejects.toThrow();
  }
});

async function storeObject() {
  const key = `test/${crypto.randomUUID()}`;
  const bytes = new Uint8Array(OBJECT_BYTES);
  for (let at = 0; at < OBJECT_BYTES; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const object = await env.FILES.put(key, bytes);
  return { key, bytes, etag: object?.etag ?? '' };
}

function watchBucket(before: (offset: number) => Promise<void> = async () => undefined) {
  const asked: number[] = [];
  const getObject = async (key: string, options: R2GetOptions & { range: { offset: number } }) => {
    asked.push(options.range.offset);
    await before(options.range.offset);
    return env.FILES.get(key, options);
  };
  return { bucket: { get: getObject } as unknown as R2Bucket, asked };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeHexLowerCase(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
