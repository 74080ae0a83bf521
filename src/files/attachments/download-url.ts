import * as z from 'zod';
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
  })
  .transform(({ member, etag, ...response }) => ({
    member,
    etag,
    contentType: response['response-content-type'],
    contentDisposition: response['response-content-disposition'],
  }));
export type Download = z.output<typeof downloadParameters> & { objectKey: string };

/** Links to the Worker instead of S3, because only the Worker can check access and add security headers. */
export async function buildDownloadUrl(
  { caller, request: scope }: Pick<Context, 'caller' | 'request'>,
  file: AttachmentRow,
): Promise<{ url: string; expiresAt: number }> {
  const { contentType, contentDisposition } = buildFileHeaders(file.file_name, file.file_type);
  const url = new URL(`${scope.origin}/downloads/${file.object_key}`);
  url.searchParams.set('response-content-type', contentType);
  url.searchParams.set('response-content-disposition', contentDisposition);
  url.searchParams.set('etag', file.etag);
  url.searchParams.set('member', String(caller.member));
  const request = { method: 'GET', url: url.href } as const;
  return {
    url: await presignUrl(getDownloadSigningKey(scope), request, scope.now, DOWNLOAD_URL_SECONDS),
    expiresAt: scope.now + DOWNLOAD_URL_SECONDS * 1000,
  };
}

export function isValidDownloadUrl(scope: RequestScope, { pathname, search }: URL): Promise<boolean> {
  const request = { method: 'GET', url: `${scope.origin}${pathname}${search}` } as const;
  return isValidPresignedUrl(getDownloadSigningKey(scope), request, scope.now);
}

// Reusing the session secret is safe: SigV4 signs with "AWS4" + secret, so no signature can pass as a session token.
function getDownloadSigningKey({ config }: RequestScope): SigningKey {
  return { accessKeyId: 'edgework', secretAccessKey: config.sessionSecret };
}
