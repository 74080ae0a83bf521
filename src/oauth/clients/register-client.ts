import { createFactory } from 'hono/factory';
import * as z from 'zod';
import { parseKnownScopes } from '../../kernel/access/access.ts';
import { describeParseError, quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import type { HttpEnv } from '../../kernel/http/http.ts';
import { findTooLongList } from '../../kernel/lists/list-size.ts';
import { createSecret } from '../../kernel/secrets/tokens.ts';
import { limitRequestsByIp } from '../protocol/ip-limits.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { describeRedirect, describeUnsafeRedirect } from '../protocol/redirect-uri.ts';
import { describeInvalidClientName } from './client-name.ts';
import { insertClient } from './clients.queries.ts';

export const REDIRECT_URIS_MAX = 10;
const UNUSED_CLIENT_LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** The fields that are stored or checked. All others must be ignored (RFC 7591 §2). */
const clientMetadata = z.object({
  client_name: z.string().nullish(),
  redirect_uris: z.array(z.string()).min(1).max(REDIRECT_URIS_MAX),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
  scope: z.string().nullish(),
});
type ClientMetadata = z.infer<typeof clientMetadata>;

/** Implements dynamic client registration (RFC 7591 §3). Anyone can register a public client, which has no secret. */
export const registerClient = createFactory<HttpEnv>().createHandlers(
  limitRequestsByIp('register'),
  async (c) => {
    const scope = c.get('scope');
    const metadata = parseClientMetadata(await c.req.text());
    const name = readClientName(metadata);
    const id = `client_${createSecret()}`;
    await scope.directory.batch([
      insertClient(
        { id, name, redirectUris: metadata.redirect_uris, expiresAt: scope.now + UNUSED_CLIENT_LIFETIME_MS },
        scope.now,
      ),
    ]);
    c.header('Cache-Control', 'no-store');
    c.header('Pragma', 'no-cache');
    const granted = parseKnownScopes(metadata.scope ?? '');
    return c.json(
      {
        client_id: id,
        client_id_issued_at: Math.floor(scope.now / 1000),
        client_name: name,
        redirect_uris: metadata.redirect_uris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...(granted.length > 0 ? { scope: granted.join(' ') } : {}),
      },
      201,
    );
  },
);

function parseClientMetadata(text: string): ClientMetadata {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidMetadataError('The body is not valid JSON. Send one JSON object with redirect_uris.');
  }
  const tooLong = findTooLongList(json);
  if (tooLong) throw invalidMetadataError(`${tooLong.problem}.`);
  const parsed = clientMetadata.safeParse(json, { reportInput: true });
  if (!parsed.success) {
    const isRedirect = parsed.error.issues[0]?.path[0] === 'redirect_uris';
    throw new OAuthError(
      isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      describeParseError(parsed.error, clientMetadata),
    );
  }
  const metadata = parsed.data;
  for (const uri of metadata.redirect_uris) {
    const unsafe = describeUnsafeRedirect(uri);
    if (unsafe) throw new OAuthError('invalid_redirect_uri', `redirect_uris: ${quoteValue(uri)} ${unsafe}.`);
  }
  requireSupportedValue('grant_types', metadata.grant_types, 'authorization_code');
  requireSupportedValue('response_types', metadata.response_types, 'code');
  return metadata;
}

function requireSupportedValue(name: string, list: readonly string[] | null | undefined, wanted: string) {
  if (!list || list.includes(wanted)) return;
  throw invalidMetadataError(
    `${name} must be ${wanted}, the only supported value; got ${quoteValue(list.join(' '))}.`,
  );
}

function readClientName({ client_name, redirect_uris }: ClientMetadata): string {
  const name = client_name?.trim() || describeRedirect(redirect_uris[0] as string).place.replace(/:$/, '');
  const bad = describeInvalidClientName(name);
  if (bad) throw invalidMetadataError(`client_name ${bad}.`);
  return name;
}

function invalidMetadataError(description: string): OAuthError {
  return new OAuthError('invalid_client_metadata', description);
}
