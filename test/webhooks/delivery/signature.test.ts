import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { getCurrentKeyId, openSecret, sealSecret } from '../../../src/webhooks/secrets/secret-seal.ts';
import { buildSignatureHeaders, createWebhookSecret } from '../../../src/webhooks/secrets/signature.ts';

const createMessage = () => ({
  id: 'msg_4_evt_812',
  timestamp: Math.floor(Date.now() / 1000),
  body: '{"type":"task.created","name":"Ümläut – 日本"}',
});

describe('a webhook signature', () => {
  it('can be verified with the Standard Webhooks reference library', () => {
    const secret = createWebhookSecret();
    const { body, ...rest } = createMessage();
    const headers = buildSignatureHeaders([secret], { ...rest, body });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it.each(['body', 'id', 'timestamp'] as const)(
    "isn't valid for a message with a different %s",
    (changed) => {
      const secret = createWebhookSecret();
      const signed = createMessage();
      const headers = buildSignatureHeaders([secret], signed);
      if (changed === 'id') headers['webhook-id'] = 'msg_4_evt_813';
      if (changed === 'timestamp') headers['webhook-timestamp'] = String(signed.timestamp - 1);
      const body = changed === 'body' ? `${signed.body} ` : signed.body;
      expect(() => new Webhook(secret).verify(body, headers)).toThrow();
    },
  );

  it('is sent once per valid secret, and each signature is valid', () => {
    const [fresh, old, stranger] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
    const signed = createMessage();
    const headers = buildSignatureHeaders([fresh, old], signed);
    for (const secret of [fresh, old]) new Webhook(secret).verify(signed.body, headers);
    expect(() => new Webhook(stranger).verify(signed.body, headers)).toThrow();
  });
});

describe('an encrypted webhook secret', () => {
  const first = { sessionSecret: 'first-0123456789-0123456789-012345', sessionSecretPrevious: null };
  const second = { sessionSecret: 'second-0123456789-0123456789-01234', sessionSecretPrevious: null };
  const secret = 'whsec_c2VjcmV0';

  it('can be decrypted only with the session secret that encrypted it', async () => {
    const seal = await sealSecret(first, 'ws_a', secret);
    expect(seal).not.toContain(secret.slice(6));
    expect(await openSecret(first, 'ws_a', seal)).toBe(secret);
    expect(await openSecret(second, 'ws_a', seal)).toBeNull();
    const rotating = { ...second, sessionSecretPrevious: first.sessionSecret };
    expect(await openSecret(rotating, 'ws_a', seal)).toBe(secret);
  });

  it("can't be decrypted in another workspace or after tampering", async () => {
    const seal = await sealSecret(first, 'ws_a', secret);
    expect(await openSecret(first, 'ws_b', seal)).toBeNull();
    const broken = seal.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    expect(await openSecret(first, 'ws_a', broken)).toBeNull();
    expect(await openSecret(first, 'ws_a', '')).toBeNull();
  });

  it('is different each time it is encrypted, and contains the id of its key', async () => {
    const seals = [await sealSecret(first, 'ws_a', secret), await sealSecret(first, 'ws_a', secret)];
    expect(seals[0]).not.toBe(seals[1]);
    for (const seal of seals) expect(seal.split('.')[0]).toBe(await getCurrentKeyId(first));
    expect(await getCurrentKeyId(second)).not.toBe(await getCurrentKeyId(first));
  });
});
