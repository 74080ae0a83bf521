// This file is long because the tests of all operations on exports share their helpers.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXPORTS_MAX } from '../../src/exports/model/exports.schema.ts';
import { createOAuthToken } from '../mcp/client.ts';
import { api, ORIGIN, send } from '../support/api.ts';
import { runCron } from '../support/cron.ts';
import { env, getCell } from '../support/env.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { deleteExports, insertExport, readExport } from './prepare-export.ts';

const MINUTE = '* * * * *';
const DAY_MS = 24 * 60 * 60_000;
const db = getCell(0);
let world: World;

beforeEach(async () => {
  world = await createWorld({ cell: 0 });
});
afterEach(async () => {
  await deleteExports(0);
});

const startExport = async (body: Record<string, unknown> = {}) =>
  (await api(world.people.owner.token).post('/exports', body)).body;
const listObjects = async () => {
  const { objects } = await env.FILES.list({ prefix: `0/${world.id}/` });
  return objects.map(({ key }) => key);
};
const listAudits = async () => {
  const { body } = await api(world.people.owner.token).get('/audit?limit=20');
  return body.data.filter(({ type }: { type: string }) => type.startsWith('workspace_export.'));
};

describe('POST /v1/exports', () => {
  it('returns the export, which then completes', async () => {
    const created = await startExport();
    expect(created).toMatchObject({
      status: 'running',
      downloadUrl: null,
      progress: { step: 'readme', stepsDone: 0 },
    });
    const finished = await readExport(world.people.owner, created.id);
    expect(finished).toMatchObject({ status: 'completed', progress: { step: 'done', files: 0 } });
    expect(finished.progress.stepsDone).toBe(finished.progress.stepsTotal);
    expect(Date.parse(finished.expiresAt) - Date.parse(finished.finishedAt)).toBe(DAY_MS);
    const { body } = await api(world.people.admin.token).get('/exports');
    expect(body.data).toMatchObject([{ id: created.id, status: 'completed' }]);
  });

  it.each(['lead', 'member', 'client'] as const)(
    'returns 403 for a %s, who also sees no exports of the workspace',
    async (role) => {
      const client = api(world.people[role].token);
      const { id } = await startExport();
      const responses = [
        await client.post('/exports', {}),
        await client.get('/exports'),
        await client.get(`/exports/${id}`),
        await client.delete(`/exports/${id}`),
      ];
      expect(responses.map(({ status }) => status)).toEqual([403, 200, 404, 404]);
      expect(responses[1]?.body.data).toEqual([]);
      expect(responses[0]?.body.error.message).toContain(`your role is ${role}`);
      expect((await api(world.people.owner.token).get('/exports')).body.meta.total).toBe(1);
    },
  );

  it('requires every scope that the archive needs', async () => {
    const scopes = ['tasks:read', 'projects:read', 'time:read'];
    const narrow = await createOAuthToken(world, world.people.owner, scopes);
    const wide = await createOAuthToken(world, world.people.owner, [...scopes, 'events:read']);
    expect((await api(narrow).post('/exports', {})).status).toBe(403);
    expect((await api(wide).post('/exports', {})).status).toBe(201);
  });

  it('returns 400 while an export is running, and once three are kept', async () => {
    const running = await insertExport(world, world.people.owner);
    const rejected = await api(world.people.admin.token).post('/exports', {});
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain(`Export ${running} is running`);
    await db.prepare("UPDATE exports SET status = 'failed' WHERE id = ?").bind(running).run();
    await startExport();
    await startExport();
    const full = await api(world.people.owner.token).post('/exports', {});
    expect(full.status).toBe(400);
    expect(full.body.error.message).toContain('up to 3 exports');
    expect((await api(world.people.owner.token).delete(`/exports/${running}`)).status).toBe(200);
    expect((await api(world.people.owner.token).post('/exports', {})).status).toBe(201);
  });

  it('starts one export for two requests with the same idempotency key', async () => {
    const send = () => api(world.people.owner.token).post('/exports', {}, { 'Idempotency-Key': 'one' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect((await listAudits()).map(({ type }: { type: string }) => type)).toEqual([
      'workspace_export.started',
    ]);
  });

  it('starts one export if two people start one at the same time', async () => {
    const statuses = await Promise.all(
      [world.people.owner, world.people.admin].map(
        async ({ token }) =>
          (await api(token).post('/exports', {}, { 'Idempotency-Key': token.slice(0, 20) })).status,
      ),
    );
    expect(statuses).toContain(201);
    const { n } = (await db
      .prepare('SELECT count(*) AS n FROM exports WHERE ws = ?')
      .bind(world.no)
      .first<{ n: number }>()) ?? {
      n: 0,
    };
    expect(n).toBe(statuses.filter((status) => status === 201).length);
  });

  it('returns 400 if the files are too large, unless the request leaves them out', async () => {
    await db
      .prepare('INSERT INTO storage (ws, used) VALUES (?, ?) ON CONFLICT DO UPDATE SET used = excluded.used')
      .bind(world.no, 101 * 1024 ** 3)
      .run();
    const rejected = await api(world.people.owner.token).post('/exports', {});
    expect(rejected.status).toBe(400);
    expect(rejected.body.error.message).toContain('includeFiles');
    expect((await startExport({ includeFiles: false })).includesFiles).toBe(false);
  });

  it('fails if the person who started it is no longer an admin', async () => {
    const id = await insertExport(world, world.people.admin);
    await db
      .prepare("UPDATE members SET role = 'member', version = version + 1 WHERE no = ?")
      .bind(world.people.admin.member)
      .run();
    await runCron(MINUTE);
    const failed = await readExport(world.people.owner, id);
    expect(failed).toMatchObject({ status: 'failed', bytes: 0 });
    expect(failed.problem).toContain('can no longer export');
  });
});

describe('the download link', () => {
  it('works without a credential, in ranges, until the export expires', async () => {
    const { id } = await startExport();
    const { downloadUrl, bytes } = await readExport(world.people.owner, id);
    expect(downloadUrl.startsWith(`${ORIGIN}/downloads/0/${world.id}/`)).toBe(true);
    const whole = await send(new Request(downloadUrl));
    expect(whole.status).toBe(200);
    expect(whole.headers.get('Content-Type')).toBe('application/zip');
    expect(whole.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename=".+-\d{4}-\d\d-\d\d\.zip"/,
    );
    const all = new Uint8Array(await whole.arrayBuffer());
    expect(all).toHaveLength(bytes);
    const part = await send(new Request(downloadUrl, { headers: { Range: 'bytes=100-199' } }));
    expect(part.status).toBe(206);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(all.slice(100, 200));
    const changed = new URL(downloadUrl);
    changed.searchParams.set('member', String(world.people.client.member));
    expect((await send(new Request(changed))).status).toBe(403);
    await db
      .prepare('UPDATE exports SET expires_at = ? WHERE id = ?')
      .bind(Date.now() - 1, id)
      .run();
    expect((await send(new Request(downloadUrl))).status).toBe(404);
    expect((await readExport(world.people.owner, id)).downloadUrl).toBeNull();
  });

  it('stops working when its requester is no longer an admin, or the export is deleted', async () => {
    const { id } = await startExport();
    const { downloadUrl: admins } = await readExport(world.people.admin, id);
    const { downloadUrl: owners } = await readExport(world.people.owner, id);
    await db
      .prepare("UPDATE members SET role = 'lead', version = version + 1 WHERE no = ?")
      .bind(world.people.admin.member)
      .run();
    expect((await send(new Request(admins))).status).toBe(404);
    expect((await send(new Request(owners))).status).toBe(200);
    await api(world.people.owner.token).delete(`/exports/${id}`);
    expect((await send(new Request(owners))).status).toBe(404);
  });

  it.each([
    {},
    { Range: 'bytes=1-' },
    { Range: 'bytes=-999999999' },
    { Range: 'bytes=5-', 'If-Range': '"x"' },
  ])(
    'is recorded in the audit log once per hour, whichever bytes are requested first (%o)',
    async (headers) => {
      const { id } = await startExport();
      const { downloadUrl } = await readExport(world.people.owner, id);
      await send(new Request(downloadUrl, { method: 'HEAD' }));
      await send(new Request(downloadUrl, { headers: headers as Record<string, string> }));
      await send(new Request(downloadUrl));
      await send(new Request(downloadUrl, { headers: { Range: 'bytes=10-' } }));
      await api(world.people.admin.token).delete(`/exports/${id}`);
      const [deleted, downloaded, started, ...others] = await listAudits();
      expect(others).toEqual([]);
      expect(started).toMatchObject({
        type: 'workspace_export.started',
        actor: { id: world.people.owner.userId },
      });
      expect(downloaded).toMatchObject({
        type: 'workspace_export.downloaded',
        actor: { id: world.people.owner.userId },
        credential: { kind: 'session_token' },
        subject: { id: String(id) },
      });
      expect(deleted).toMatchObject({
        type: 'workspace_export.deleted',
        actor: { id: world.people.admin.userId },
      });
    },
  );
});

describe('DELETE /v1/exports/:id', () => {
  it('returns 404 for an export of another workspace, or one that was deleted', async () => {
    const other = await createWorld({ cell: 0 });
    const { id } = await startExport();
    const stranger = api(other.people.owner.token);
    expect((await stranger.get(`/exports/${id}`)).status).toBe(404);
    expect((await stranger.delete(`/exports/${id}`)).status).toBe(404);
    const owner = api(world.people.owner.token);
    expect((await owner.delete(`/exports/${id}`)).status).toBe(200);
    expect((await owner.delete(`/exports/${id}`)).status).toBe(404);
    expect((await owner.get('/exports')).body.data).toEqual([]);
  });

  it("can't be repeated endlessly before the files of deleted exports are deleted", async () => {
    const owner = api(world.people.owner.token);
    for (let n = 0; n < 2 * EXPORTS_MAX; n += 1)
      await insertExport(world, world.people.owner, { status: 'removed' });
    expect((await owner.post('/exports', {})).status).toBe(400);
    await db.prepare('UPDATE exports SET leased_until = 0, expires_at = 0 WHERE ws = ?').bind(world.no).run();
    for (let n = 0; n < 2 * EXPORTS_MAX; n += 1) await runCron(MINUTE);
    expect((await owner.post('/exports', {})).body).toMatchObject({ status: 'running' });
  });

  it('deletes the zip file immediately', async () => {
    const { id } = await startExport();
    expect(await listObjects()).toHaveLength(1);
    await api(world.people.owner.token).delete(`/exports/${id}`);
    expect(await listObjects()).toEqual([]);
    expect(await db.prepare('SELECT id FROM exports WHERE id = ?').bind(id).first()).toBeNull();
  });

  it('stops a running export', async () => {
    const id = await insertExport(world, world.people.owner);
    await api(world.people.owner.token).delete(`/exports/${id}`);
    await runCron(MINUTE);
    expect(await db.prepare('SELECT id FROM exports WHERE id = ?').bind(id).first()).toBeNull();
    expect(await listObjects()).toEqual([]);
  });
});

describe('the cleanup job', () => {
  it('deletes expired and deleted exports with all their objects and rows', async () => {
    await createTask(world.people.owner, world.projects.joined.id);
    const first = await startExport();
    const second = await startExport();
    expect(await listObjects()).toHaveLength(2);
    await db.prepare("UPDATE exports SET status = 'removed' WHERE id = ?").bind(first.id).run();
    await db
      .prepare('UPDATE exports SET leased_until = 0, expires_at = min(expires_at, ?) WHERE ws = ?')
      .bind(Date.now() - 1, world.no)
      .run();
    await runCron(MINUTE);
    expect(await listObjects()).toEqual([]);
    for (const table of ['exports', 'export_entries', 'export_parts']) {
      const row = await db
        .prepare(`SELECT count(*) AS n FROM ${table} WHERE ws = ?`)
        .bind(world.no)
        .first('n');
      expect(row, table).toBe(0);
    }
    expect((await api(world.people.owner.token).get(`/exports/${second.id}`)).status).toBe(404);
  });

  it('keeps exports that have not expired', async () => {
    const { id } = await startExport();
    await runCron(MINUTE);
    expect((await readExport(world.people.owner, id)).status).toBe('completed');
  });
});
