import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../.wrangler/assets/client.js';

const toSecret = (seed: number) => `whsec_${btoa(String.fromCharCode(...new Uint8Array(32).fill(seed)))}`;
const [secret, other] = [toSecret(1), toSecret(2)];
const body = JSON.stringify({ id: 'test_1', type: 'webhook.test', webhook: { id: 1 }, note: 'Grüße' });

function signBody(by: string, { text = body, age = 0 } = {}) {
  const at = new Date(Date.now() - age * 1000);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, text),
  };
}

describe('verifyWebhook', () => {
  it('returns the parsed body if the signature is valid, and accepts Node headers, Headers objects and bytes', async () => {
    const expected = JSON.parse(body);
    expect(await verifyWebhook(secret, signBody(secret), body)).toEqual(expected);
    expect(await verifyWebhook([secret], new Headers(signBody(secret)), body)).toEqual(expected);
    expect(await verifyWebhook(secret, signBody(secret), new TextEncoder().encode(body))).toEqual(expected);
  });

  it('accepts either secret during a rotation, and a message with two signatures', async () => {
    for (const by of [secret, other]) await verifyWebhook([secret, other], signBody(by), body);
    const both = `${signBody(other)['webhook-signature']} ${signBody(secret)['webhook-signature']}`;
    const headers = { ...signBody(secret), 'webhook-signature': both };
    await verifyWebhook(secret, headers, body);
    await verifyWebhook(other, headers, body);
  });

  it.each([
    ['a signature by another secret', secret, signBody(other), body],
    ['a changed body', secret, signBody(secret), body.replace('test_1', 'test_2')],
    ['a changed id', secret, { ...signBody(secret), 'webhook-id': 'msg_2' }, body],
    [
      'a signature of another version',
      secret,
      {
        ...signBody(secret),
        'webhook-signature': signBody(secret)['webhook-signature'].replace('v1,', 'v2,'),
      },
      body,
    ],
    ['a signature that is not base64', secret, { ...signBody(secret), 'webhook-signature': 'v1,?' }, body],
    ['an empty signature', secret, { ...signBody(secret), 'webhook-signature': 'v1,' }, body],
    ['no signature headers', secret, {}, body],
    ['a timestamp that is too old', secret, signBody(secret, { age: 310 }), body],
    ['a timestamp in the future', secret, signBody(secret, { age: -310 }), body],
    ['a timestamp that is not a number', secret, { ...signBody(secret), 'webhook-timestamp': 'now' }, body],
  ])('rejects a message with %s', async (_, by, headers, text) => {
    const verified = verifyWebhook(by, headers, text);
    await expect(verified).rejects.toMatchObject({ name: 'EdgeworkError', code: 'invalid_signature' });
  });

  it('accepts an old message if the tolerance allows its age', async () => {
    await verifyWebhook(secret, signBody(secret, { age: 310 }), body, { tolerance: 600 });
  });

  it('rejects an empty secret, because anyone could sign with it', async () => {
    for (const empty of ['', 'whsec_'])
      await expect(verifyWebhook(empty, signBody(secret), body)).rejects.toThrow('whsec_');
  });
});
