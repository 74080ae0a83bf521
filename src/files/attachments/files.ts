import { Hono } from 'hono';
import * as z from 'zod';
import { authenticate, isPlausibleCredential } from '../../accounts/credentials/authenticate.ts';
import {
  describeRequestSource,
  hasNoEntrySince,
  recordAuditEntryBy,
} from '../../kernel/audit/record-audit.queries.ts';
import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { AppError, forbiddenError } from '../../kernel/errors/errors.ts';
import { execute } from '../../kernel/execute/execute.ts';
import type { HttpContext, HttpEnv } from '../../kernel/http/http.ts';
import { validateRequest } from '../../kernel/http/validate.ts';
import { matchesEntityTag, preconditionFailedError } from '../../kernel/operation/entity-tag.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { type ByteRange, isSatisfiableRange, parseRange } from '../objects/byte-range.ts';
import { isLongRange, type ObjectRange, streamObjectRange } from '../objects/object-stream.ts';
import { type ExportArchive, findExportArchive, findObjectEtag } from '../objects/objects.queries.ts';
import { findAttachmentByKey } from './attachments.queries.ts';
import { buildDownloadUrl, type Download, downloadParameters, isValidDownloadUrl } from './download-url.ts';
import { parseObjectKeyCell } from './storage.ts';

/**
 * Serves `fileUrl` and signed download URLs, which are outside `/v1`. These routes aren't operations, because they
 * stream.
 */
export const fileApp = new Hono<HttpEnv>();

const locateFile = defineOperation(
  {
    name: 'locateFile',
    summary: 'Find the attachment stored under a key',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({ s3Key: z.string().max(200) }),
    output: z.object({ url: z.string() }),
  },
  async (ctx, { s3Key }) => {
    const [found] = await ctx.db.batch([findAttachmentByKey(ctx.caller, s3Key)]);
    if (!found) throw fileNotFoundError();
    return buildDownloadUrl(ctx, found);
  },
);

fileApp.get('/files/*', async (c) => {
  const scope = c.get('scope');
  const { output } = await execute(locateFile, {
    request: scope,
    authenticator: authenticate(c),
    input: () => ({ s3Key: new URL(c.req.url).pathname.slice('/files/'.length) }),
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
  }).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'rate_limited') throw error;
    // Rate limits and well-formed but invalid credentials return the usual errors. Every other AppError becomes a 404.
    const hasEnded =
      error.code === 'unauthorized' && (await isPlausibleCredential(scope, c.req.header('Authorization')));
    throw hasEnded ? error : fileNotFoundError();
  });
  return c.redirect((output as { url: string }).url, 302);
});

fileApp.get('/downloads/*', validateRequest('query', downloadParameters, rejectDownloadUrl), async (c) => {
  const scope = c.get('scope');
  const url = new URL(c.req.url);
  if (!(await isValidDownloadUrl(scope, url))) rejectDownloadUrl();
  const download = { ...c.req.valid('query'), objectKey: url.pathname.slice('/downloads/'.length) };
  const found = await findDownload(scope, download);
  if (!found) throw fileNotFoundError();
  if (found.archive && c.req.method === 'GET')
    await recordExportDownload(scope, found.cell, found.archive, download);
  return serveFile(c, download);
});

function rejectDownloadUrl(): never {
  throw forbiddenError(
    'This URL has expired or was changed. Get a new one with GET …/attachments/{id}/download, or GET …/exports/{id} for an export.',
  );
}

interface FoundDownload {
  readonly cell: Database;
  readonly archive: ExportArchive | null;
}

/** Checks the file and the requester's membership, because a URL can outlive both. */
async function findDownload(
  scope: RequestScope,
  { objectKey, member, etag }: Download,
): Promise<FoundDownload | null> {
  const no = parseObjectKeyCell(objectKey);
  if (no === null || !scope.config.cells.has(no)) return null;
  const cell = scope.cell(no);
  const [attachment, archive] = await cell.batch([
    findObjectEtag(objectKey, member),
    findExportArchive(objectKey, member, scope.now),
  ]);
  return (attachment ?? archive)?.etag === etag ? { cell, archive } : null;
}

/**
 * Records at most one download per hour, because a download can be fetched in pieces. Any piece counts, because a range
 * can name the whole file.
 */
async function recordExportDownload(
  scope: RequestScope,
  cell: Database,
  { ws, id }: ExportArchive,
  { member, credential = 'service' }: Download,
): Promise<void> {
  const author = { ws, actor: member, kind: credential, from: describeRequestSource(scope), now: scope.now };
  const subject = { id: String(id), name: `Export ${id}` };
  await cell.batch([
    recordAuditEntryBy(
      author,
      { type: 'workspace_export.downloaded', subject },
      hasNoEntrySince(author, { type: 'workspace_export.downloaded', subject }, scope.now - HOUR_MS),
    ),
  ]);
}

async function serveFile(c: HttpContext, download: Download): Promise<Response> {
  const isHead = c.req.method === 'HEAD';
  const tag = `"${download.etag}"`;
  const headers = {
    'Content-Type': download.contentType,
    'Content-Disposition': download.contentDisposition,
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'private, no-store',
    'Access-Control-Allow-Origin': '*',
    'Accept-Ranges': 'bytes',
    ETag: tag,
  };
  const ifMatch = c.req.header('If-Match');
  if (ifMatch !== undefined && !matchesEntityTag(ifMatch, tag)) throw preconditionFailedError();
  const known = c.req.header('If-None-Match');
  if (known !== undefined && matchesEntityTag(known, tag)) return c.body(null, 304, headers);

  const range = isHead ? null : readRange(c, tag);
  const object = await c.env.FILES.get(download.objectKey, {
    onlyIf: { etagMatches: download.etag },
    ...(range ? { range: c.req.raw.headers } : {}),
  }).catch(async (error: unknown) => {
    if (!range || !/range/i.test(String(error))) throw error;
    const existing = await c.env.FILES.head(download.objectKey);
    throw existing ? unsatisfiableRangeError(c, existing.size) : fileNotFoundError();
  });
  if (!object || !('body' in object)) throw fileNotFoundError();
  // For some unsatisfiable ranges, R2 returns the whole file instead of an error.
  if (range && !isSatisfiableRange(range, object.size)) {
    await object.body.cancel();
    throw unsatisfiableRangeError(c, object.size);
  }
  const { offset, length } = toOffsetAndLength(object);
  const sized = { ...headers, 'Content-Length': String(length) };
  if (isHead) {
    await object.body.cancel();
    return c.body(null, 200, sized);
  }
  const body = await openObjectBody(c, object, {
    key: download.objectKey,
    etag: download.etag,
    offset,
    length,
  });
  if (!range) return c.body(body, 200, sized);
  const contentRange = `bytes ${offset}-${offset + length - 1}/${object.size}`;
  return c.body(body, 206, { ...sized, 'Content-Range': contentRange });
}

/** A Range header applies only to GET (RFC 9110 §14.2), and is ignored if If-Range names another version (13.1.5). */
function readRange(c: HttpContext, tag: string): ByteRange | null {
  const header = c.req.header('Range');
  const ifRange = c.req.header('If-Range');
  if (header === undefined || (ifRange !== undefined && ifRange.trim() !== tag)) return null;
  return parseRange(header);
}

async function openObjectBody(
  c: HttpContext,
  object: R2ObjectBody,
  span: ObjectRange,
): Promise<ReadableStream> {
  if (!isLongRange(span.length)) return object.body;
  await object.body.cancel();
  return streamObjectRange(c.env.FILES, span);
}

function toOffsetAndLength({ range, size }: R2ObjectBody): { offset: number; length: number } {
  const { offset, length, suffix }: { offset?: number; length?: number; suffix?: number } = range ?? {};
  if (suffix !== undefined) return { offset: Math.max(0, size - suffix), length: Math.min(suffix, size) };
  const start = offset ?? 0;
  return { offset: start, length: Math.min(length ?? size, size - start) };
}

function unsatisfiableRangeError(c: HttpContext, size: number): AppError {
  return new AppError(
    'invalid_request',
    `Range ${quoteValue(c.req.header('Range'))} must be within the file, which has ${size} bytes. Change the range, or leave Range out to get the whole file.`,
    { status: 416, headers: { 'Content-Range': `bytes */${size}` } },
  );
}

function fileNotFoundError(): AppError {
  return new AppError(
    'not_found',
    ({ call }) =>
      `No file at this URL is visible to this credential. ${call('listTaskAttachments')} lists the files of a task.`,
  );
}
