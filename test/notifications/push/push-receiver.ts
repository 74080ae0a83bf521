import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding';

interface PushReceiver {
  /** In base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  decrypt(body: Uint8Array): Promise<string>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const toBytes = (text: string): Bytes => Uint8Array.from(new TextEncoder().encode(text));
const decode = (text: string): Bytes => Uint8Array.from(decodeBase64urlIgnorePadding(text));

/** Decrypts messages as a browser does. Follows RFC 8291 independently of the code under test. */
export async function createPushReceiver(): Promise<PushReceiver> {
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const pair = (await crypto.subtle.generateKey(curve, true, ['deriveBits'])) as CryptoKeyPair;
  const publicKey = new Uint8Array((await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer);
  const auth = crypto.getRandomValues(new Uint8Array(16));
  return {
    keys: { p256dh: encodeBase64urlNoPadding(publicKey), auth: encodeBase64urlNoPadding(auth) },
    async decrypt(body) {
      const bytes = Uint8Array.from(body);
      const [salt, serverKey, record] = [bytes.slice(0, 16), bytes.slice(21, 86), bytes.slice(86)];
      const head = new DataView(bytes.buffer);
      if (head.getUint32(16) < record.length || head.getUint8(20) !== 65) throw new Error('invalid header');
      const server = await crypto.subtle.importKey('raw', serverKey, curve, false, []);
      const algorithm = { name: 'ECDH', public: server };
      const shared = new Uint8Array(await crypto.subtle.deriveBits(algorithm, pair.privateKey, 256));
      const info = Uint8Array.from([...toBytes('WebPush: info\0'), ...publicKey, ...serverKey]);
      const input = await expand(shared, auth, info, 32);
      const key = await expand(input, salt, toBytes('Content-Encoding: aes128gcm\0'), 16);
      const iv = await expand(input, salt, toBytes('Content-Encoding: nonce\0'), 12);
      const cipher = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
      const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, cipher, record));
      const end = padded.findLastIndex((byte) => byte !== 0);
      if (padded[end] !== 2) throw new Error('invalid padding');
      return new TextDecoder().decode(padded.slice(0, end));
    },
  };
}

async function expand(secret: Bytes, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

/** Throws unless the header's token is signed with the header's key. */
export async function verifyVapidHeader(header: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const parse = (part: string) => JSON.parse(new TextDecoder().decode(decode(part)));
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const publicKey = await crypto.subtle.importKey('raw', decode(key), algorithm, false, ['verify']);
  const isValid = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    publicKey,
    decode(signature),
    toBytes(`${head}.${claims}`),
  );
  if (!isValid || parse(head).alg !== 'ES256') throw new Error('invalid signature');
  return { key, claims: parse(claims) as Record<string, unknown> };
}
