import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toSafeReturnPath } from '../../src/accounts/browser-sessions/return-path.ts';
import { parseCredential } from '../../src/accounts/credentials/credential.ts';
import { registerInput } from '../../src/accounts/sign-up/accounts.schema.ts';
import { parseRange } from '../../src/files/objects/byte-range.ts';
import { readFormPart } from '../../src/files/uploads/form-part.ts';
import { parseKnownScopes } from '../../src/kernel/access/access.ts';
import { describeParseError, describeUnknownFields } from '../../src/kernel/errors/describe-parse-error.ts';
import type { HttpEnv } from '../../src/kernel/http/http.ts';
import { buildListKey } from '../../src/kernel/http/list-key.ts';
import { decodeBody, decodeQuery } from '../../src/kernel/http/rest-input.ts';
import { parseFields } from '../../src/kernel/http/trim-fields.ts';
import { findTooLongList } from '../../src/kernel/lists/list-size.ts';
import { matchesEntityTag } from '../../src/kernel/operation/entity-tag.ts';
import { toAddressBlock } from '../../src/kernel/rate-limit/client-address.ts';
import { removeSeal } from '../../src/kernel/secrets/seal.ts';
import { findUnstorableText } from '../../src/kernel/text/storable-text.ts';
import { parseRule } from '../../src/meetings/recurrence/rrule-text.ts';
import { describeUnsafeClientUrl } from '../../src/oauth/clients/client-document.ts';
import { describeInvalidClientName } from '../../src/oauth/clients/client-name.ts';
import { buildParameterSchema, validateParameters } from '../../src/oauth/protocol/parameters.ts';
import { describeUnsafeRedirect } from '../../src/oauth/protocol/redirect-uri.ts';
import { parseRequestedScopes } from '../../src/oauth/protocol/scopes.ts';
import { createOAuthToken, post } from '../mcp/client.ts';
import { api, ORIGIN } from '../support/api.ts';
import { expectLinear, expectQuick } from '../support/linear-time.ts';
import { createWorld } from '../support/world.ts';

const LARGE_SIZE = 200_000;
const listInput = z.strictObject({ search: z.string().optional(), expand: z.array(z.string()).optional() });
const item = z.object({ id: z.int(), name: z.string() });

const oauth = new Hono<HttpEnv>()
  .onError((error, c) => c.text(error.message, 400))
  .get('/', validateParameters('query', buildParameterSchema({})), (c) => c.json(c.req.valid('query')));

const repeatUpTo = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const buildDistinctNames = (size: number) =>
  Array.from({ length: size / 8 }, (_, index) => `n${index}=1`).join('&');

/** Long repetitions of these texts can be expensive to parse. */
const repeatedUnits = [
  'a',
  ' ',
  '\t',
  ';',
  ',',
  '=',
  '"',
  '-',
  ':',
  '.',
  '/',
  '%',
  '%20',
  '@',
  'a.',
  'a@',
  '1',
  '; ',
  ', ',
  '::',
];

const parsers: Record<string, (text: string) => unknown> = {
  'a byte range': (text) => parseRange(`bytes=${text}`),
  'an entity tag': (text) => matchesEntityTag(`W/"${text}`, '"tag"'),
  'a credential': (text) => parseCredential(`Bearer ${text}`),
  'a sealed value': (text) => removeSeal(['secret', 'previous'], 'list', text),
  "a cursor's list": (text) => buildListKey(new URL(`${ORIGIN}/v1/tasks?${text}`)),
  'a query': (text) => decodeQuery(new URLSearchParams(text), listInput),
  'a query parameter': (text) => decodeQuery(new URLSearchParams({ search: text, expand: text }), listInput),
  fields: (text) => parseFields(text, item),
  'an unknown name': (text) =>
    describeUnknownFields([text, `${text}x`], ['name', 'description', 'assigneeId']),
  'an invalid value': (text) => {
    const schema = z.strictObject({ status: z.enum(['todo', 'completed']), name: z.string().max(10) });
    return describeParseError(
      schema.safeParse({ status: text, name: text }, { reportInput: true }).error as z.ZodError,
      schema,
    );
  },
  'an email address': (text) =>
    registerInput.safeParse({ email: `a${text}@example.com`, password: text, name: text }),
  'an email domain': (text) => registerInput.safeParse({ email: `a@${text}`, password: text, name: text }),
  'a recurrence weekday': (text) => parseRule(`FREQ=DAILY;BYDAY=${text}`),
  'a recurrence rule': (text) => parseRule(text),
  next: (text) => toSafeReturnPath(`/${text}`, ORIGIN),
  'a redirect URI': (text) => describeUnsafeRedirect(`https://${text}`),
  'a client URL': (text) => describeUnsafeClientUrl(`https://${text}`),
  'a client name': describeInvalidClientName,
  scopes: (text) => [parseKnownScopes(text), parseRequestedScopes(text)],
  'OAuth parameters': (text) => oauth.request(`/?${text}`),
  'an IP address': toAddressBlock,
  'text to store': (text) => findUnstorableText({ text }),
};

describe('parsing user input', () => {
  it.each(Object.keys(parsers))('takes linear time (input: %s)', async (name) => {
    const parse = parsers[name] as (text: string) => unknown;
    for (const shape of repeatedUnits)
      await expectLinear((size) => repeatUpTo(shape, size), LARGE_SIZE, parse);
  });

  it.each(['a query', "a cursor's list", 'OAuth parameters'])(
    'takes linear time for many parameter names (input: %s)',
    async (name) => {
      await expectLinear(buildDistinctNames, 2 * LARGE_SIZE, parsers[name] as (text: string) => unknown);
    },
  );

  it('is quick for a long multipart boundary and for part headers that arrive byte by byte', async () => {
    const expectUnreadBody = async (contentType: string, head: string) => {
      const bytes = new TextEncoder().encode(head);
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent === bytes.length) return controller.close();
          controller.enqueue(bytes.subarray(sent, sent + 1));
          sent += 1;
        },
      });
      const form = { contentType, bodyBytes: 1e9, partBytes: 5 };
      await expect(readFormPart(body, form)).rejects.toThrow(/boundary|part headers/);
    };
    for (const shape of repeatedUnits) {
      await expectQuick(
        () => expectUnreadBody(`multipart/form-data;${repeatUpTo(shape, LARGE_SIZE)}`, ''),
        1_000,
      );
    }
    const lineEnds = repeatUpTo('\r\n\r', 17 * 1024).replaceAll('\r\n\r\n', 'xxxx');
    await expectQuick(() => expectUnreadBody('multipart/form-data; boundary=b', lineEnds), 2_000);
  });
});

describe('a request body that is expensive to parse', () => {
  const decodeText = (text: string) => decodeBody(new Request(ORIGIN, { method: 'POST', body: text }));

  it.each([
    ['deeply nested arrays', `{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['deeply nested objects', `{"name":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`],
    ['nested arrays that are never closed', '['.repeat(1_000_000)],
    ['many field names', `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['many invalid items', `{"participantIds":[${repeatUpTo('0,', 999_000)}0]}`],
    ['one long field name', `{"${'a'.repeat(1_000_000)}":1}`],
    ['one long text', `{"name":"${'a'.repeat(1_000_000)}"}`],
    ['unpaired surrogates', `{"name":"${repeatUpTo('\\ud800', 600_000)}"}`],
  ])('is rejected quickly, with a short error, over REST and MCP (%s)', async (_, text) => {
    const world = await createWorld();
    const { lead } = world.people;
    const item = text.slice(0, 1_000_000);
    for (const [path, body] of [
      ['/meetings', text],
      ['/tasks', text],
      ['/tasks/bulk', `{"tasks":[${item}]}`],
    ] as const) {
      await expectQuick(
        async () => expect((await api(lead.token).post(path, body)).status, path).toBe(400),
        3_000,
        path,
      );
    }
    await decodeText(text).catch((error) => expect(error).toMatchObject({ status: 400 }));
    const token = await createOAuthToken(world, lead);
    for (const [name, args] of [
      ['create_meeting', item],
      ['create_task', `{"tasks":[${item}]}`],
      ['set_timer', `{"entries":[${item}]}`],
    ]) {
      const params = `{"name":"${name}","arguments":${args}}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      const call = async () => {
        const answer = await post(token, body, { headers: { 'MCP-Protocol-Version': '2025-11-25' } });
        expect([200, 400], name).toContain(answer.status);
        const text = await answer.text();
        expect(text.length).toBeLessThan(5_000);
        expect(text).not.toContain('on our end');
      };
      await expectQuick(call, 3_000, name);
    }
  });

  it('is rejected with an error that contains the name of an overlong list, but not its items', () => {
    expect(findTooLongList({ ids: Array(1_001).fill(0) })?.problem).toBe(
      'ids must have at most 1000 items; got 1001',
    );
    expect(findTooLongList({ ids: Array(1_000).fill(0) })).toBeNull();
  });
});
