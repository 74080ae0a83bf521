import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { buildForm, CHUNK_BYTES, createBytes, initUpload, putChunk, readStorage } from './uploading.ts';

let world: World;
let taskId: number;

beforeAll(async () => {
  world = await createWorld();
  taskId = (await createTask(world.people.member, world.projects.joined.id)).id;
});

const file = { fileName: 'a.bin', fileType: 'application/octet-stream', fileSize: 10 };

describe('starting an upload', () => {
  it.each([
    ['an empty file', { fileSize: 0 }, 'fileSize'],
    ['a negative size', { fileSize: -1 }, 'fileSize'],
    ['a fractional size', { fileSize: 1.5 }, 'fileSize'],
    ['a file of 10 TiB', { fileSize: 10 * 1024 ** 4 }, 'at most 5497558138880'],
    ['a size as text', { fileSize: '10' }, 'fileSize'],
    ['a type with line breaks', { fileType: 'text/plain\r\nX-Evil: 1' }, 'MIME type'],
    ['a type without a slash', { fileType: 'picture' }, 'MIME type'],
    ['a type with parameters', { fileType: 'text/html; charset=utf-8' }, 'without parameters'],
    ['a type of 200 characters', { fileType: `text/${'x'.repeat(200)}` }, 'at most 127'],
    ['a path as the name', { fileName: '../../etc/passwd' }, 'without a path'],
    ['a Windows path as the name', { fileName: 'C:\\a.txt' }, 'without a path'],
    ['a control character in the name', { fileName: 'a\u0000b.txt' }, 'control characters'],
    ['a line break in the name', { fileName: 'a\r\nb.txt' }, 'control characters'],
    ['a name with a direction mark', { fileName: 'invoice\u202Efdp.exe' }, 'direction'],
    ['an unpaired surrogate in the name', { fileName: 'a\uD800.txt' }, 'control characters'],
    ['a name of 300 characters', { fileName: 'n'.repeat(300) }, 'at most 255'],
    ['an empty name', { fileName: '' }, 'at least 1'],
    ['a blank name', { fileName: '  ' }, 'must not be blank'],
    ['dots as the name', { fileName: '..' }, 'must not be blank'],
  ])('returns 400 for %s, whether the upload is chunked or presigned', async (_what, wrong, message) => {
    const { member } = world.people;
    for (const answer of [
      await initUpload(member, { ...file, taskId, ...wrong }),
      await api(member.token).post(`/tasks/${taskId}/attachments/presign`, { ...file, ...wrong }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain(message);
    }
    expect((await readStorage(world)).reserved).toBe(0);
  });

  it('accepts unusual names, and returns them verbatim', async () => {
    const { member } = world.people;
    for (const fileName of [
      'Entwurf „final“ (2).pdf',
      '報告書 📎.tar.gz',
      "o'neil; rm -rf %20.txt",
      'x'.repeat(255),
    ]) {
      const { status, body } = await initUpload(member, { ...file, taskId, fileName });
      expect(status).toBe(201);
      const { sessionId } = body;
      expect((await api(member.token).get(`/chunked-upload/status/${sessionId}`)).body.fileName).toBe(
        fileName,
      );
      await api(member.token).post(`/chunked-upload/abort/${sessionId}`);
    }
  });
});

describe('starting an upload with an invalid target', () => {
  it('returns 400 if neither a task nor a project is given, or if parentId is given for a project', async () => {
    const { member } = world.people;
    expect((await initUpload(member, file)).body.error.message).toContain('taskId or projectId is required');
    const versioned = await initUpload(member, { ...file, projectId: world.projects.joined.id, parentId: 1 });
    expect(versioned.status).toBe(400);
    expect(versioned.body.error.message).toContain('parentId');
  });

  it('returns 404 if the task, project or earlier version is hidden or unknown', async () => {
    const { client } = world.people;
    const hidden = await createTask(world.people.owner, world.projects.other.id);
    for (const target of [
      { taskId: hidden.id },
      { taskId: 999_999 },
      { projectId: world.projects.other.id },
      { projectId: 999_999 },
    ]) {
      expect((await initUpload(client, { ...file, ...target })).status).toBe(404);
    }
    const { member } = world.people;
    expect((await initUpload(member, { ...file, taskId, parentId: 999_999 })).status).toBe(404);
  });
});

describe('an invalid chunk', () => {
  it("is rejected with 400, and isn't counted", async () => {
    const { member } = world.people;
    const { body } = await initUpload(member, { ...file, taskId, fileSize: CHUNK_BYTES + 10 });
    const { sessionId } = body;
    const last = createBytes(10);
    const form = await buildForm(last);
    const wrong: [string, () => ReturnType<typeof putChunk>][] = [
      ['number 0', () => putChunk(member, sessionId, 0, last)],
      ['a number beyond the last chunk', () => putChunk(member, sessionId, 3, last)],
      ['a number beyond the limit of chunks', () => putChunk(member, sessionId, 10_001, last)],
      ['a word as the number', () => putChunk(member, sessionId, 'two', last)],
      ['a negative number', () => putChunk(member, sessionId, -1, last)],
      ['a fractional number', () => putChunk(member, sessionId, '1.5', last)],
      ['too few bytes', () => putChunk(member, sessionId, 1, last)],
      ['too many bytes', () => putChunk(member, sessionId, 2, createBytes(11))],
      ['an empty chunk', () => putChunk(member, sessionId, 2, null, { 'Content-Length': '0' })],
      ['a missing length', () => putChunk(member, sessionId, 2, last, { 'Content-Length': null })],
      ['an invalid checksum', () => putChunk(member, sessionId, 2, last, { 'X-Chunk-SHA256': 'abc' })],
      ['a wrong checksum', () => putChunk(member, sessionId, 2, last, { 'X-Chunk-SHA256': '0'.repeat(64) })],
      [
        'a form of the wrong size',
        async () => {
          const { form, headers } = await buildForm(createBytes(12));
          return putChunk(member, sessionId, 2, form, headers);
        },
      ],
      [
        'a form with two parts',
        async () => {
          const { form, headers } = await buildForm(last, ['note', 'hello']);
          return putChunk(member, sessionId, 2, form, headers);
        },
      ],
      [
        'a form with another boundary',
        () =>
          putChunk(member, sessionId, 2, form.form, {
            'Content-Type': 'multipart/form-data; boundary=other',
          }),
      ],
      [
        'a form without a boundary',
        () => putChunk(member, sessionId, 2, form.form, { 'Content-Type': 'multipart/form-data' }),
      ],
      [
        'a form that does not end',
        () => {
          const cut = form.form.slice();
          cut.set(new TextEncoder().encode('xx'), cut.byteLength - 6);
          return putChunk(member, sessionId, 2, cut, form.headers);
        },
      ],
    ];
    for (const [what, send] of wrong) {
      const answer = await send();
      expect(answer.status, what).toBe(400);
      expect(answer.body.error.code, what).toBe('invalid_request');
    }
    const status = await api(member.token).get(`/chunked-upload/status/${sessionId}`);
    expect(status.body).toMatchObject({ receivedChunks: 0, missingParts: [1, 2] });
    expect((await putChunk(member, sessionId, 2, form.form, form.headers)).status).toBe(200);
    const early = await api(member.token).post(`/chunked-upload/complete/${sessionId}`);
    expect(early.body.error.message).toContain('1 of 2 chunks are missing: 1.');
    await api(member.token).delete(`/chunked-upload/${sessionId}`);
  });
});

it('an upload has at most 10,000 chunks, and a chunk size of at least 8 MiB', async () => {
  const { member } = world.people;
  const sizes = [
    [CHUNK_BYTES, 1],
    [CHUNK_BYTES + 1, 2],
    [10_000 * CHUNK_BYTES, 10_000],
  ] as const;
  for (const [fileSize, totalChunks] of sizes) {
    const { body } = await initUpload(member, { ...file, taskId, fileSize });
    expect(body).toMatchObject({ chunkSize: CHUNK_BYTES, totalChunks });
    await api(member.token).delete(`/chunked-upload/${body.sessionId}`);
  }
  const { body } = await initUpload(member, { ...file, taskId, fileSize: 10_000 * CHUNK_BYTES + 1 });
  expect(body.chunkSize).toBe(CHUNK_BYTES + 1024 * 1024);
  expect(body.totalChunks).toBeLessThan(10_000);
  await api(member.token).delete(`/chunked-upload/${body.sessionId}`);
});

describe('an interrupted chunk', () => {
  it.each([
    ['sent as raw bytes', {}],
    ['sent with a checksum', { 'X-Chunk-SHA256': 'a'.repeat(64) }],
  ])("is rejected with 400, isn't stored, and can be sent again (%s)", async (_how, headers) => {
    const { member } = world.people;
    const bytes = createBytes(100_000);
    const { sessionId } = (await initUpload(member, { taskId, fileSize: bytes.byteLength })).body;
    const broken = await putChunk(member, sessionId, 1, createBrokenStream(bytes), {
      'Content-Length': String(bytes.byteLength),
      ...headers,
    });
    expect([broken.status, broken.body.error.message]).toEqual([
      400,
      expect.stringContaining('was interrupted'),
    ]);
    const { body } = await api(member.token).get(`/chunked-upload/status/${sessionId}`);
    expect(body).toMatchObject({ status: 'open', receivedChunks: 0 });
    expect((await putChunk(member, sessionId, 1, bytes)).status).toBe(200);
  });

  it.each([20, 50_000])(
    'is rejected with 400 if it is sent as a form (interrupted after %i bytes)',
    async (length) => {
      const { member } = world.people;
      const bytes = createBytes(100_000);
      const { sessionId } = (await initUpload(member, { taskId, fileSize: bytes.byteLength })).body;
      const { form, headers } = await buildForm(bytes);
      const broken = await putChunk(member, sessionId, 1, createBrokenStream(form, length), {
        ...headers,
        'Content-Length': String(form.byteLength),
      });
      expect([broken.status, broken.body.error.message]).toEqual([
        400,
        expect.stringContaining('was interrupted'),
      ]);
    },
  );
});

function createBrokenStream(bytes: Uint8Array<ArrayBuffer>, length = 50_000): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: 'bytes',
    start: (controller) => controller.enqueue(bytes.slice(0, length)),
    pull: (controller) => controller.error(new Error('Network connection lost.')),
  });
}
