import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../.wrangler/assets/client.js';

const toSecret = (seed: number) => `whsec_${btoa(String.fromCharCode(...new Uint8Array(32).fill(seed)))}`;
const [secret, other] = [toSecret(1), toSecret(2)];
const body = JSON.stringify({ id: 'test_1', type: 'webhook.test', webhook: { id: 1 }, note: 'Grüße' });

function sign(by: string, { text = body, age = 0 } = {}) {
  const at = new Date(Date.now() - age * 1000);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, text),
  };
}

describe('verifyWebhook', () => {
  it("returns the body of a message with a valid signature, from Node's headers, Headers and bytes", async () => {
    const expected = JSON.parse(body);
    expect(await verifyWebhook(secret, sign(secret), body)).toEqual(expected);
    expect(await verifyWebhook([secret], new Headers(sign(secret)), body)).toEqual(expected);
    expect(await verifyWebhook(secret, sign(secret), new TextEncoder().encode(body))).toEqual(expected);
  });

  it('accepts either secret during a rotation, and a message with two signatures', async () => {
    for (const by of [secret, other]) await verifyWebhook([secret, other], sign(by), body);
    const both = `${sign(other)['webhook-signature']} ${sign(secret)['webhook-signature']}`;
    const headers = { ...sign(secret), 'webhook-signature': both };
    await verifyWebhook(secret, headers, body);
    await verifyWebhook(other, headers, body);
  });

  it.each([
    ['another secret', secret, sign(other), body],
    ['a changed body', secret, sign(secret), body.replace('test_1', 'test_2')],
    ['a changed id', secret, { ...sign(secret), 'webhook-id': 'msg_2' }, body],
    [
      'a signature of another version',
      secret,
      { ...sign(secret), 'webhook-signature': sign(secret)['webhook-signature'].replace('v1,', 'v2,') },
      body,
    ],
    ['a signature that is not base64', secret, { ...sign(secret), 'webhook-signature': 'v1,?' }, body],
    ['an empty signature', secret, { ...sign(secret), 'webhook-signature': 'v1,' }, body],
    ['no headers', secret, {}, body],
    ['a message that is too old', secret, sign(secret, { age: 310 }), body],
    ['a message from the future', secret, sign(secret, { age: -310 }), body],
    ['a timestamp that is not a number', secret, { ...sign(secret), 'webhook-timestamp': 'now' }, body],
  ])('rejects %s', async (_, by, headers, text) => {
    const verified = verifyWebhook(by, headers, text);
    await expect(verified).rejects.toMatchObject({ name: 'EdgeworkError', code: 'invalid_signature' });
  });

  it('accepts an old message with a larger tolerance', async () => {
    await verifyWebhook(secret, sign(secret, { age: 310 }), body, { tolerance: 600 });
  });

  it('rejects an empty secret, with which anyone could sign', async () => {
    for (const empty of ['', 'whsec_'])
      await expect(verifyWebhook(empty, sign(secret), body)).rejects.toThrow('whsec_');
  });
});
