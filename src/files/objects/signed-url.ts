import { AwsV4Signer } from 'aws4fetch';

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface SignedRequest {
  method: 'GET' | 'PUT';
  url: string;
  /** A request must send these values, or it is refused. */
  headers?: Record<string, string>;
}

/** An address that works without a credential until it expires (SigV4 in the query, as S3 has it). */
export async function presign(
  key: SigningKey,
  request: SignedRequest,
  now: number,
  expiresSeconds: number,
): Promise<string> {
  const url = new URL(request.url);
  url.searchParams.set('X-Amz-Expires', String(expiresSeconds));
  const signed = await signerOf(key, { ...request, url: url.href }, toAmzDate(now)).sign();
  return signed.url.href;
}

/** Whether `presign` made this address with this key and it has not expired. */
export async function isPresigned(key: SigningKey, request: SignedRequest, now: number): Promise<boolean> {
  const url = new URL(request.url);
  const given = url.searchParams.get('X-Amz-Signature') ?? '';
  const date = url.searchParams.get('X-Amz-Date') ?? '';
  const expiresAt = fromAmzDate(date) + Number(url.searchParams.get('X-Amz-Expires')) * 1000;
  if (!(now < expiresAt)) return false;
  url.searchParams.delete('X-Amz-Signature');
  const { url: expected } = await signerOf(key, { ...request, url: url.href }, date).sign();
  return isEqual(given, expected.searchParams.get('X-Amz-Signature') ?? '');
}

function signerOf(key: SigningKey, { method, url, headers = {} }: SignedRequest, datetime: string) {
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
    // Binds Content-Type too, which aws4fetch leaves out otherwise.
    allHeaders: true,
  });
}

function toAmzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');
}

/** NaN for anything else. */
function fromAmzDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function isEqual(given: string, expected: string): boolean {
  const encoder = new TextEncoder();
  const [a, b] = [encoder.encode(given), encoder.encode(expected)];
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
