import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding';
import { describe, expect, it } from 'vitest';
import { encryptPush } from '../../../src/notifications/push/encrypt-push.ts';
import { findVapidKey, signVapidHeader } from '../../../src/notifications/push/vapid.ts';
import { createPushReceiver, verifyVapidHeader } from './push-receiver.ts';

/** RFC 8291, appendix A. */
const vector = {
  text: 'When I grow up, I want to be a watermelon',
  serverPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  serverPublic: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

async function importVectorKeys(): Promise<CryptoKeyPair> {
  const point = decodeBase64urlIgnorePadding(vector.serverPublic);
  const [x, y] = [point.slice(1, 33), point.slice(33)].map(encodeBase64urlNoPadding);
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as JsonWebKey;
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const [publicKey, privateKey] = await Promise.all([
    crypto.subtle.importKey('jwk', jwk, curve, true, []),
    crypto.subtle.importKey('jwk', { ...jwk, d: vector.serverPrivate }, curve, true, ['deriveBits']),
  ]);
  return { publicKey, privateKey } as CryptoKeyPair;
}

describe('the encryption of push messages', () => {
  it('produces the message in RFC 8291, appendix A', async () => {
    const body = await encryptPush(vector.text, vector, {
      keys: await importVectorKeys(),
      salt: decodeBase64urlIgnorePadding(vector.salt),
      paddingBytes: 1,
    });
    expect(encodeBase64urlNoPadding(body)).toBe(vector.body);
  });

  it.each(['', 'Hello', 'Größe 🎉', 'x'.repeat(1023), 'x'.repeat(1024)])(
    'produces a message that only the browser can read (%s)',
    async (text) => {
      const browser = await createPushReceiver();
      const body = await encryptPush(text, browser.keys);
      expect(await browser.decrypt(body)).toBe(text);
      await expect((await createPushReceiver()).decrypt(body)).rejects.toThrow();
      expect(await encryptPush(text, browser.keys)).not.toEqual(body);
    },
  );

  it('hides the length of the text', async () => {
    const { keys } = await createPushReceiver();
    const sizes = await Promise.all(['', 'x', 'x'.repeat(900)].map((text) => encryptPush(text, keys)));
    expect(new Set(sizes.map(({ length }) => length)).size).toBe(1);
  });

  it('rejects a text that no push service accepts', async () => {
    const { keys } = await createPushReceiver();
    await expect(encryptPush('x'.repeat(4000), keys)).rejects.toThrow('too large');
  });
});

describe('the VAPID header', () => {
  it('has a valid signature, and names the push service and a contact', async () => {
    const key = await findVapidKey(vector.serverPrivate);
    if (!key) throw new Error('the key must be valid');
    expect(key.publicKey).toBe(vector.serverPublic);
    const now = Date.UTC(2027, 0, 1);
    const endpoint = 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV';
    const header = await signVapidHeader(key, { endpoint, contact: 'mailto:a@b.example', now });
    expect(await verifyVapidHeader(header)).toEqual({
      key: vector.serverPublic,
      claims: { aud: 'https://push.example.net', exp: now / 1000 + 12 * 60 * 60, sub: 'mailto:a@b.example' },
    });
    await expect(verifyVapidHeader(header.replace(/t=(\w+)/, 't=$1A'))).rejects.toThrow();
  });
});
