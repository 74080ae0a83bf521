import * as z from 'zod';
import { auditCredentialKinds } from '../../kernel/audit/audit-types.ts';
import { getAuditCredentialKind } from '../../kernel/audit/record-audit.queries.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { isValidPresignedUrl, presignUrl, type SigningKey } from '../objects/signed-url.ts';
import { buildFileHeaders } from './attachments.policy.ts';
import type { AttachmentRow } from './attachments.queries.ts';

const DOWNLOAD_URL_SECONDS = 15 * 60;

export const downloadParameters = z
  .object({
    /** The member who requested the URL. The URL stops working when the membership ends. */
    member: z.coerce.number(),
    etag: z.string(),
    'response-content-type': z.string(),
    'response-content-disposition': z.string(),
    /** The kind of credential that requested the URL of an export, for the audit log. */
    credential: z.enum(auditCredentialKinds).optional(),
  })
  .transform(({ member, etag, credential, ...response }) => ({
    member,
    etag,
    credential,
    contentType: response['response-content-type'],
    contentDisposition: response['response-content-disposition'],
  }));
export type Download = z.output<typeof downloadParameters> & { objectKey: string };

type DownloadContext = Pick<Context, 'caller' | 'request'>;
type DownloadableFile = Pick<AttachmentRow, 'file_name' | 'file_type' | 'object_key' | 'etag'>;

export async function buildDownloadUrl(
  ctx: DownloadContext,
  file: DownloadableFile,
): Promise<{ url: string; expiresAt: number }> {
  const url = buildUnsignedUrl(ctx, file);
  return {
    url: await signUrl(ctx.request, url, DOWNLOAD_URL_SECONDS),
    expiresAt: ctx.request.now + DOWNLOAD_URL_SECONDS * 1000,
  };
}

/** The URL works until the export expires, and its use is recorded in the audit log. */
export async function buildExportUrl(
  ctx: DownloadContext,
  file: DownloadableFile,
  expiresAt: number,
): Promise<string> {
  const url = buildUnsignedUrl(ctx, file);
  url.searchParams.set('credential', getAuditCredentialKind(ctx.caller.credential));
  return signUrl(ctx.request, url, Math.floor((expiresAt - ctx.request.now) / 1000));
}

/** Links to the Worker instead of S3, because only the Worker can check access and add security headers. */
function buildUnsignedUrl({ caller, request }: DownloadContext, file: DownloadableFile): URL {
  const { contentType, contentDisposition } = buildFileHeaders(file.file_name, file.file_type);
  const url = new URL(`${request.origin}/downloads/${file.object_key}`);
  url.searchParams.set('response-content-type', contentType);
  url.searchParams.set('response-content-disposition', contentDisposition);
  url.searchParams.set('etag', file.etag);
  url.searchParams.set('member', String(caller.member));
  return url;
}

function signUrl(scope: RequestScope, url: URL, seconds: number): Promise<string> {
  return presignUrl(getDownloadSigningKey(scope), { method: 'GET', url: url.href }, scope.now, seconds);
}

export function isValidDownloadUrl(scope: RequestScope, { pathname, search }: URL): Promise<boolean> {
  const request = { method: 'GET', url: `${scope.origin}${pathname}${search}` } as const;
  return isValidPresignedUrl(getDownloadSigningKey(scope), request, scope.now);
}

// Reusing the session secret is safe: SigV4 signs with "AWS4" + secret, so no signature can pass as a session token.
function getDownloadSigningKey({ config }: RequestScope): SigningKey {
  return { accessKeyId: 'edgework', secretAccessKey: config.sessionSecret };
}
