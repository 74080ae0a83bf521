import type { S3Config } from '../../kernel/operation/config.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { presignUrl } from './signed-url.ts';

/** The signed copy request expires after a week, so that it works even if our clock differs from R2's. */
const COPY_REQUEST_SECONDS = 7 * 24 * 60 * 60;

/** Until it expires, the URL accepts any number of uploads with this type and size. */
export function presignPut(
  scope: RequestScope,
  s3Key: string,
  file: { fileType: string; fileSize: number },
  expiresSeconds: number,
): Promise<string> {
  const headers = { 'Content-Type': file.fileType, 'Content-Length': String(file.fileSize) };
  const { access, url } = buildObjectUrl(scope, s3Key);
  return presignUrl(access, { method: 'PUT', url, headers }, scope.now, expiresSeconds);
}

/** Returns false if the object no longer has this ETag. */
export async function copyObject(
  scope: RequestScope,
  source: { key: string; etag: string },
  targetKey: string,
): Promise<boolean> {
  const { access, url } = buildObjectUrl(scope, targetKey);
  const headers = {
    'x-amz-copy-source': `/${access.bucket}/${source.key}`,
    'x-amz-copy-source-if-match': `"${source.etag}"`,
  };
  const signed = await presignUrl(access, { method: 'PUT', url, headers }, scope.now, COPY_REQUEST_SECONDS);
  const response = await fetch(signed, { method: 'PUT', headers });
  const text = await response.text();
  if (response.status === 404 || response.status === 412) return false;
  // S3 can report a failure in the body of a 200 response.
  if (response.ok && !text.includes('<Error>')) return true;
  throw new Error(`R2 did not copy an object: ${response.status} ${text.slice(0, 500)}`);
}

function buildObjectUrl({ config, origin }: RequestScope, key: string): { access: S3Config; url: string } {
  const { s3 } = config;
  if (!s3) {
    throw new Error(
      'Presigned uploads are not configured: set R2_ACCOUNT_ID (or R2_S3_ENDPOINT), R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY (docs/deploy.md)',
    );
  }
  const endpoint = s3.endpoint ?? `${origin}/cdn-cgi/local/r2/s3`;
  return { access: s3, url: `${endpoint}/${s3.bucket}/${key}` };
}
