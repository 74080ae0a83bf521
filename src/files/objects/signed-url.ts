import { AwsV4Signer } from 'aws4fetch';

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface SignableRequest {
  method: 'GET' | 'PUT';
  url: string;
  headers?: Record<string, string>;
}

export async function presignUrl(
  key: SigningKey,
  request: SignableRequest,
  now: number,
  expiresSeconds: number,
): Promise<string> {
  const url = new URL(request.url);
  url.searchParams.set('X-Amz-Expires', String(expiresSeconds));
  const signed = await createSigner(key, { ...request, url: url.href }, formatAmzDate(now)).sign();
  return signed.url.href;
}

export async function isValidPresignedUrl(
  key: SigningKey,
  request: SignableRequest,
  now: number,
): Promise<boolean> {
  const url = new URL(request.url);
  const given = url.searchParams.get('X-Amz-Signature') ?? '';
  const date = url.searchParams.get('X-Amz-Date') ?? '';
  const expiresAt = parseAmzDate(date) + Number(url.searchParams.get('X-Amz-Expires')) * 1000;
  if (!(now < expiresAt)) return false;
  url.searchParams.delete('X-Amz-Signature');
  const { url: expected } = await createSigner(key, { ...request, url: url.href }, date).sign();
  return isSameSignature(given, expected.searchParams.get('X-Amz-Signature') ?? '');
}

function createSigner(key: SigningKey, { method, url, headers = {} }: SignableRequest, datetime: string) {
  return new AwsV4Signer({
    accessKeyId: key.accessKeyId,
    secretAccessKey: key.secretAccessKey,
    service: 's3',
    region: 'auto',
    method,
    url,
    headers,
    datetime,
    signQuery: true,
    // Also signs Content-Type, which aws4fetch skips by default.
    allHeaders: true,
  });
}

function formatAmzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');
}

function parseAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function isSameSignature(given: string, expected: string): boolean {
  const encoder = new TextEncoder();
  const [a, b] = [encoder.encode(given), encoder.encode(expected)];
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
