import QuickLRU from 'quick-lru';
import * as z from 'zod';
import { decodeUtf8, readBytes } from '../../kernel/http/bounded-body.ts';
import { isPublicHost } from '../../kernel/net/outbound-url.ts';
import { describeUnsafeRedirect } from '../protocol/redirect-uri.ts';
import { describeInvalidClientName } from './client-name.ts';
import type { OAuthClient } from './clients.ts';

// Limits for client ID metadata documents (draft-ietf-oauth-client-id-metadata-document, sections 3 to 6).
const DOCUMENT_BYTES_MAX = 10 * 1024;
const FETCH_TIMEOUT_MS = 5_000;
const CLIENT_ID_CHARACTERS_MAX = 2048;
const CACHED_DOCUMENTS_MAX = 500;
const DOCUMENT_CACHE_MS = 10 * 60_000;
/** Failed fetches are also cached, so that this server doesn't flood the host of a broken document. */
const ERROR_CACHE_MS = 60_000;

export type ClientDocumentResult = { client: OAuthClient } | { refusal: string };

const documentCache = new QuickLRU<string, ClientDocumentResult>({ maxSize: CACHED_DOCUMENTS_MAX });

const documentMetadata = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
});

export function isClientDocumentUrl(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

export function getCachedClientDocument(clientId: string): ClientDocumentResult | undefined {
  return documentCache.get(clientId);
}

export async function fetchClientDocument(clientId: string): Promise<ClientDocumentResult> {
  const unsafe = describeUnsafeClientUrl(clientId);
  if (unsafe) return { refusal: `client_id ${unsafe}` };
  const result = await downloadClientDocument(clientId);
  documentCache.set(clientId, result, { maxAge: 'client' in result ? DOCUMENT_CACHE_MS : ERROR_CACHE_MS });
  return result;
}

async function downloadClientDocument(clientId: string): Promise<ClientDocumentResult> {
  let json: unknown;
  try {
    const response = await fetch(clientId, {
      headers: { Accept: 'application/json' },
      // A redirect could go to an unchecked host.
      redirect: 'manual',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (response.status !== 200)
      return { refusal: `the document at client_id must return 200; got ${response.status}` };
    const bytes = await readBytes(response.body, DOCUMENT_BYTES_MAX);
    if (bytes === null) throw new Error('too large');
    json = JSON.parse(decodeUtf8(bytes));
  } catch {
    return {
      refusal: `the document at client_id could not be read as JSON of at most ${DOCUMENT_BYTES_MAX} bytes within ${FETCH_TIMEOUT_MS / 1000} seconds`,
    };
  }
  return parseClientDocument(clientId, json);
}

function parseClientDocument(clientId: string, json: unknown): ClientDocumentResult {
  const parsed = documentMetadata.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      refusal: `the document at client_id has an invalid ${issue?.path.join('.') || 'shape'}: ${issue?.message}`,
    };
  }
  const { client_id, client_name = '', redirect_uris } = parsed.data;
  if (client_id !== clientId) return { refusal: 'the document at client_id contains a different client_id' };
  const name = client_name.trim() || new URL(clientId).host;
  const badName = describeInvalidClientName(name);
  if (badName) return { refusal: `client_name in the document at client_id ${badName}` };
  for (const uri of redirect_uris) {
    const unsafe = describeUnsafeRedirect(uri);
    if (unsafe) return { refusal: `a redirect_uri in the document at client_id ${unsafe}` };
  }
  return { client: { id: clientId, name, redirectUris: redirect_uris } };
}

/**
 * Returns null for a normalized https URL with a path and a public host, because no fetch may reach a private network.
 */
export function describeUnsafeClientUrl(clientId: string): string | null {
  if (clientId.length > CLIENT_ID_CHARACTERS_MAX)
    return `must have at most ${CLIENT_ID_CHARACTERS_MAX} characters`;
  const url = URL.parse(clientId);
  if (url?.protocol !== 'https:' || !clientId.startsWith('https://')) return 'must be an https URL';
  if (url.href !== clientId)
    return 'must be a normalized URL, without dot segments, a default port or escapes';
  if (url.username || url.password || clientId.includes('#'))
    return 'must not have a user, password or fragment';
  if (url.pathname === '/') return 'must have a path';
  if (!isPublicHost(url.hostname)) return 'must have a public host';
  return null;
}
