// This file is long because it follows an attachment from presigning the upload to downloading the file.
import { describe, expect, it } from 'vitest';
import { api, ORIGIN, send } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';
import { fetchUrl, readStorage } from '../uploads/uploading.ts';
import { confirmUpload, listObjects, presignAndUpload, presignUpload, s3 } from './presigning.ts';

describe('presigning an upload', () => {
  it('returns a URL that is signed for the declared type and size, has a unique key, and expires after an hour', async () => {
    const world = await createWorld();
    const { id } = await createTask(world.people.member, world.projects.joined.id);
    const { status, body } = await presignUpload(world.people.member, id, { fileType: 'image/png' });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['fileUrl', 's3Key', 'uploadUrl']);
    expect(body.fileUrl).toBe(`${ORIGIN}/files/${body.s3Key}`);
    const url = new URL(body.uploadUrl);
    expect(`${url.origin}${url.pathname}`).toBe(`${s3.R2_S3_ENDPOINT}/edgework-files/${body.s3Key}`);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Expires': '3600',
      'X-Amz-SignedHeaders': 'content-length;content-type;host',
    });
    expect(query['X-Amz-Credential']).toMatch(/^test-key\/\d{8}\/auto\/s3\/aws4_request$/);
    expect(query['X-Amz-Signature']).toMatch(/^[0-9a-f]{64}$/);
    const other = await presignUpload(world.people.member, id, { fileType: 'image/png' });
    expect(other.body.s3Key).not.toBe(body.s3Key);
  });

  it.each([
    ['free', 2 * 1024 ** 3],
    ['free', 6 * 1024 ** 3],
    ['free', 5 * 1024 ** 4],
    ['pro', 2 * 1024 ** 4],
    ['pro', 5 * 1024 ** 4],
  ] as const)(
    'reports that the %s plan is too small for %i bytes before it checks any other limit',
    async (plan, fileSize) => {
      const world = await createWorld({ plan });
      const { id } = await createTask(world.people.member, world.projects.joined.id);
      const { status, body } = await presignUpload(world.people.member, id, { fileSize });
      expect([status, body.error.code]).toEqual([403, 'forbidden_plan']);
      expect((await readStorage(world)).trulyReserved).toBe(0);
    },
  );

  it('rejects files over the single-PUT limit, and files for archived or hidden tasks', async () => {
    const world = await createWorld();
    const { member, client } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const large = await presignUpload(member, id, { fileSize: 5 * 1024 ** 3 });
    expect(large.status).toBe(400);
    expect(large.body.error.message).toContain('POST /v1/chunked-upload/init');
    const hidden = await createTask(world.people.owner, world.projects.other.id);
    expect((await presignUpload(client, hidden.id)).status).toBe(404);
    await api(member.token).post(`/tasks/${id}/archive`);
    expect((await presignUpload(member, id)).body.error.message).toContain('unarchive');
    expect((await readStorage(world)).trulyReserved).toBe(0);
  });

  it('returns 500 and reserves no storage if the deployment has no S3 credentials', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const variables = { R2_ACCESS_KEY_ID: '', R2_SECRET_ACCESS_KEY: '' };
    const body = { fileName: 'a', fileType: 'a/b', fileSize: 1 };
    const asked = api(member.token, variables).post(`/tasks/${id}/attachments/presign`, body);
    await expect(asked).rejects.toThrow('500');
    expect((await readStorage(world)).trulyReserved).toBe(0);
  });
});

describe('confirming an upload', () => {
  it('records the upload once, and returns 201 first and then 200 with the same attachment', async () => {
    const world = await createWorld({ cell: 1 });
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const s3Key = await presignAndUpload(member, id);
    const before = await api(member.token).get(`/tasks/${id}/attachments`);
    expect(before.body.meta.total).toBe(0);
    const answers = await Promise.all(Array.from({ length: 8 }, () => confirmUpload(member, id, { s3Key })));
    expect(answers.map((each) => each.status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map((each) => each.text)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({
      fileName: 'plan.txt',
      fileType: 'text/plain',
      fileSize: 5,
      fileUrl: `${ORIGIN}/files/${s3Key}`,
      version: 1,
      parentId: null,
      uploadedBy: { id: member.userId, name: member.name, email: member.email },
    });
    const list = await api(member.token).get(`/tasks/${id}/attachments`);
    expect(list.body.data).toEqual([answers[0]?.body]);
    const history = await api(member.token).get(`/tasks/${id}/activities`);
    expect(history.body.meta.total).toBe(2);
    expect(history.body.data[0]).toMatchObject({ type: 'attachment_added', to: 'plan.txt' });
    expect(await readStorage(world)).toEqual({ used: 5, reserved: 0, trulyUsed: 5, trulyReserved: 0 });
  });

  it('returns 400 until the bytes have arrived', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { body } = await presignUpload(member, id);
    const early = await confirmUpload(member, id, { s3Key: body.s3Key });
    expect(early.status).toBe(400);
    expect(early.body.error.message).toContain('PUT the bytes');
    expect((await readStorage(world)).reserved).toBe(0);
    await env.FILES.put(body.s3Key, 'hello');
    expect((await confirmUpload(member, id, { s3Key: body.s3Key })).status).toBe(201);
    expect((await readStorage(world)).used).toBe(5);
  });

  it.each([
    ['more', 'hello world'],
    ['fewer', 'hi'],
  ])(
    'rejects and deletes an upload with %s bytes than declared, and releases its storage',
    async (_what, bytes) => {
      const world = await createWorld();
      const { member } = world.people;
      const { id } = await createTask(member, world.projects.joined.id);
      const s3Key = await presignAndUpload(member, id, {}, bytes);
      const rejected = await confirmUpload(member, id, { s3Key });
      expect(rejected.status).toBe(400);
      expect(rejected.body.error.message).toContain(`must have the declared 5 bytes; got ${bytes.length}`);
      expect(await env.FILES.head(s3Key)).toBeNull();
      expect(await readStorage(world)).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
      expect((await api(member.token).get(`/tasks/${id}/attachments`)).body.meta.total).toBe(0);
    },
  );

  it("never exceeds the plan's storage, even if the upload's reservation was released", async () => {
    const world = await createWorld({ plan: 'free' });
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { body } = await presignUpload(member, id);
    await confirmUpload(member, id, { s3Key: body.s3Key });
    await presignUpload(member, id, { fileSize: 1024 ** 3 });
    await env.FILES.put(body.s3Key, 'hello');
    const rejected = await confirmUpload(member, id, { s3Key: body.s3Key });
    expect(rejected.status).toBe(403);
    expect(rejected.body.error.code).toBe('forbidden_plan');
    expect((await readStorage(world)).used).toBe(0);
  });

  it('returns 404 for a key of another task or workspace, and for an unknown key', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const other = await createTask(member, world.projects.joined.id);
    const stranger = await createWorld();
    const theirs = await createTask(stranger.people.owner, stranger.projects.other.id);
    const s3Key = await presignAndUpload(member, id);
    expect((await confirmUpload(member, other.id, { s3Key })).status).toBe(404);
    expect((await confirmUpload(stranger.people.owner, theirs.id, { s3Key })).status).toBe(404);
    expect((await confirmUpload(member, id, { s3Key: `0/${world.id}/none` })).status).toBe(404);
    const foreignParent = await confirmUpload(member, id, { s3Key, parentId: 999_999 });
    expect(foreignParent.status).toBe(404);
    expect((await confirmUpload(member, id, { s3Key })).status).toBe(201);
    expect((await confirmUpload(member, other.id, { s3Key })).status).toBe(404);
  });

  it('creates one version per upload, and only the latest version is listed', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const first = await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id) });
    const elsewhere = await createTask(member, world.projects.joined.id);
    const foreign = await presignAndUpload(member, elsewhere.id);
    expect(
      (await confirmUpload(member, elsewhere.id, { s3Key: foreign, parentId: first.body.id })).status,
    ).toBe(404);
    const keys = await Promise.all(Array.from({ length: 4 }, () => presignAndUpload(member, id)));
    const versions = await Promise.all(
      keys.map((s3Key) => confirmUpload(member, id, { s3Key, parentId: first.body.id })),
    );
    expect(versions.map((each) => each.body.version).sort()).toEqual([2, 3, 4, 5]);
    expect(new Set(versions.map((each) => each.body.parentId))).toEqual(new Set([first.body.id]));
    const list = await api(member.token).get(`/tasks/${id}/attachments`);
    expect(list.body.data.map((each: { version: number }) => each.version)).toEqual([5]);
    expect(list.body.meta.total).toBe(1);
  });
});

describe('the attachment list', () => {
  it('is paginated, newest first, with exact totals, and contains only the selected fields', async () => {
    const world = await createWorld();
    const { member, client } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const ids: number[] = [];
    for (let made = 0; made < 5; made += 1) {
      ids.unshift((await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id) })).body.id);
    }
    const page = await api(member.token).get(`/tasks/${id}/attachments?limit=2&offset=2&fields=id,fileName`);
    expect(page.body).toEqual({
      data: ids.slice(2, 4).map((each) => ({ id: each, fileName: 'plan.txt' })),
      meta: { total: 5, limit: 2, offset: 2, hasMore: true },
    });
    const ofProject = await api(client.token).get(`/projects/${world.projects.joined.id}/attachments`);
    expect(ofProject.body.meta.total).toBe(0);
    expect((await api(client.token).get(`/projects/${world.projects.other.id}/attachments`)).status).toBe(
      404,
    );
  });
});

describe('a download', () => {
  const cases = [
    ['an HTML page', 'text/html', 'application/octet-stream', 'attachment'],
    ['an SVG picture', 'image/svg+xml', 'application/octet-stream', 'attachment'],
    ['XML', 'application/xml', 'application/octet-stream', 'attachment'],
    ['a script', 'text/javascript', 'application/octet-stream', 'attachment'],
    ['text', 'text/plain', 'text/plain', 'attachment'],
    ['a PNG picture', 'image/png', 'image/png', 'inline'],
    ['a PDF', 'application/pdf', 'application/pdf', 'inline'],
  ] as const;

  it.each(cases)(
    'of %s never runs as a page in the browser',
    async (_what, fileType, served, disposition) => {
      const world = await createWorld();
      const { member } = world.people;
      const { id } = await createTask(member, world.projects.joined.id);
      const fileName = 'Entwurf „1“; x="y".html';
      const s3Key = await presignAndUpload(member, id, { fileType, fileName });
      const attachment = await confirmUpload(member, id, { s3Key });
      const path = `/tasks/${id}/attachments/${attachment.body.id}/download`;
      const { status, body } = await api(member.token).get(path);
      expect(status).toBe(200);
      expect(body).toMatchObject({ fileName, fileType, fileSize: 5 });
      const minutes = (Date.parse(body.expiresAt) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(10);
      expect(minutes).toBeLessThan(16);
      const file = await fetchUrl(body.url);
      expect(file.status).toBe(200);
      expect(file.headers.get('Content-Type')).toBe(served);
      expect(file.headers.get('Content-Disposition')).toBe(
        `${disposition}; filename="Entwurf _1__ x=_y_.html"; filename*=UTF-8''Entwurf%20%E2%80%9E1%E2%80%9C%3B%20x%3D%22y%22.html`,
      );
      expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(file.headers.get('Content-Security-Policy')).toMatch(/^sandbox;/);
      expect(await file.text()).toBe('hello');
    },
  );

  it('is available through fileUrl to everyone who can see the attachment, and returns 404 to others', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const stranger = (await createWorld()).people.owner;
    const { id } = await createTask(owner, world.projects.other.id);
    const s3Key = await presignAndUpload(owner, id);
    const url = `${ORIGIN}/files/${s3Key}`;
    const downloadFile = (token?: string) => fetchUrl(url, token ? { Authorization: `Bearer ${token}` } : {});
    expect((await downloadFile(owner.token)).status).toBe(404);
    await confirmUpload(owner, id, { s3Key });
    const redirect = await downloadFile(owner.token);
    expect(redirect.status).toBe(302);
    expect(await (await fetchUrl(redirect.headers.get('Location') as string)).text()).toBe('hello');
    const missing = await (await fetchUrl(`${ORIGIN}/files/none`)).text();
    for (const token of [undefined, 'garbage', client.token, stranger.token]) {
      const rejected = await downloadFile(token);
      expect(rejected.status).toBe(404);
      expect(await rejected.text()).toBe(missing);
    }
  });

  it('is rejected if its URL has been changed or has expired', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.other.id);
    const attachment = await confirmUpload(owner, id, { s3Key: await presignAndUpload(owner, id) });
    const secret = await presignAndUpload(owner, id);
    const { body } = await api(owner.token).get(`/tasks/${id}/attachments/${attachment.body.id}/download`);
    const url = new URL(body.url);
    const changeParameter = (name: string, value: string) => {
      const copy = new URL(url);
      copy.searchParams.set(name, value);
      return copy.href;
    };
    for (const wrong of [
      changeParameter('response-content-type', 'text/html'),
      changeParameter('response-content-disposition', 'inline'),
      changeParameter('X-Amz-Expires', '999999'),
      changeParameter('X-Amz-Date', '20200101T000000Z'),
      changeParameter('X-Amz-Signature', '0'.repeat(64)),
      changeParameter('etag', 'x'),
      `${ORIGIN}/downloads/${secret}${url.search}`,
      `${ORIGIN}/downloads/${secret}`,
    ]) {
      const rejected = await fetchUrl(wrong);
      expect(rejected.status, wrong).toBe(403);
    }
    expect((await fetchUrl(body.url)).status).toBe(200);
  });

  it('honors byte ranges, and returns only bytes of the confirmed upload', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.other.id);
    const s3Key = await presignAndUpload(owner, id);
    const attachment = await confirmUpload(owner, id, { s3Key });
    const { body } = await api(owner.token).get(`/tasks/${id}/attachments/${attachment.body.id}/download`);
    const ranges = [
      ['bytes=1-3', 206, 'ell', 'bytes 1-3/5'],
      ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
      ['bytes=2-', 206, 'llo', 'bytes 2-4/5'],
      ['bytes=3-99', 206, 'lo', 'bytes 3-4/5'],
      ['lines=1-2', 200, 'hello', null],
      ['bytes=3-1', 200, 'hello', null],
      ['bytes=-', 200, 'hello', null],
      ['bytes=0-1,3-4', 200, 'hello', null],
    ] as const;
    for (const [range, status, text, contentRange] of ranges) {
      const part = await fetchUrl(body.url, { Range: range });
      expect([part.status, await part.text(), part.headers.get('Content-Range')], range).toEqual([
        status,
        text,
        contentRange,
      ]);
    }
    for (const range of ['bytes=5-', 'bytes=9-', 'bytes=-0']) {
      const outside = await fetchUrl(body.url, { Range: range });
      expect([outside.status, outside.headers.get('Content-Range')], range).toEqual([416, 'bytes */5']);
    }
    const head = await send(new Request(body.url, { method: 'HEAD', headers: { Range: 'bytes=1-3' } }));
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '5', '']);
    await env.FILES.put(s3Key, 'HELLO');
    expect(await (await fetchUrl(body.url)).text()).toBe('hello');
    const [objectKey] = (await listObjects(world)).filter((key) => key !== s3Key);
    await env.FILES.put(objectKey as string, 'HELLO');
    expect((await fetchUrl(body.url)).status).toBe(404);
  });

  it('honors conditional requests', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.other.id);
    const attachment = await confirmUpload(owner, id, { s3Key: await presignAndUpload(owner, id) });
    const { body } = await api(owner.token).get(`/tasks/${id}/attachments/${attachment.body.id}/download`);
    const whole = await fetchUrl(body.url);
    const tag = whole.headers.get('ETag') ?? '';
    expect(await whole.text()).toBe('hello');
    const conditions = [
      [{ 'If-None-Match': tag }, 304, ''],
      [{ 'If-None-Match': `"other", W/${tag}` }, 304, ''],
      [{ 'If-None-Match': '"other"' }, 200, 'hello'],
      [{ 'If-Match': tag }, 200, 'hello'],
      [{ 'If-Match': '"other"' }, 412, null],
      [{ Range: 'bytes=1-3', 'If-Range': tag }, 206, 'ell'],
      [{ Range: 'bytes=1-3', 'If-Range': '"other"' }, 200, 'hello'],
      [{ Range: 'bytes=1-3', 'If-Range': `W/${tag}` }, 200, 'hello'],
    ] as const;
    for (const [headers, status, text] of conditions) {
      const answer = await fetchUrl(body.url, headers);
      const received = await answer.text();
      expect([answer.status, text === null ? null : received], JSON.stringify(headers)).toEqual([
        status,
        text,
      ]);
    }
  });
});
