import { deleteSessionCopiesOrThrow } from '../../accounts/browser-sessions/end-sessions.ts';
import { API_KEY_PREFIX, OAUTH_TOKEN_PREFIX } from '../../accounts/credentials/credential.ts';
import { deleteAccountLinks, deleteBrowserSessions } from '../../accounts/own/own-account.queries.ts';
import { hashSecret, parseTokenCell } from '../../kernel/secrets/tokens.ts';
import type { Database, Databases } from '../../kernel/sql/database.ts';
import { deleteRecentCodes } from '../../oauth/consent/codes.queries.ts';
import { insertRevokedToken } from '../../oauth/tokens/issued-token.ts';
import {
  credentialConditions,
  memberConditions,
  type RevokedAccess,
  revokeAllAccess,
  revokeCredentials,
} from './revoke.queries.ts';

/**
 * `subject` is a leaked key or token, an app's client id, or the id of a person or workspace (docs/adr/0022). Returns
 * null if a key or token is incomplete or mistyped.
 */
export async function revokeAccess(
  { directory, cells }: Databases,
  subject: string,
  now: number,
): Promise<RevokedAccess[] | null> {
  const prefix = [API_KEY_PREFIX, OAUTH_TOKEN_PREFIX].find((each) => subject.startsWith(each));
  if (prefix) {
    const cell = cells.get(parseTokenCell(prefix, subject) ?? -1);
    if (!cell) return null;
    const [, revoked] = await cell.batch(
      revokeCredentials(credentialConditions.hash(hashSecret(subject)), now),
    );
    return revoked;
  }
  const isPerson = subject.startsWith('usr_');
  const isWorkspace = subject.startsWith('ws_');
  // Starts with the directory, because its unused links and codes could still grant access to a cell.
  if (isPerson) {
    await directory.batch([deleteBrowserSessions(subject), deleteAccountLinks(subject)]);
    await deleteSessionCopiesOrThrow({ directory, cells }, subject, { from: null, now });
  }
  const statements = isPerson
    ? revokeAllAccess(memberConditions.person(subject), now)
    : isWorkspace
      ? revokeAllAccess(memberConditions.workspace(subject), now)
      : await revokeApp(directory, subject, now);
  const revoked: RevokedAccess[] = [];
  for (const cell of cells.values())
    revoked.push(...(await cell.batch(statements)).flatMap((ended) => ended ?? []));
  return revoked;
}

/** Also deletes recent codes, and revokes their tokens even if the code exchange hasn't stored them yet. */
async function revokeApp(directory: Database, clientId: string, now: number) {
  const [codes] = await directory.batch([deleteRecentCodes(clientId, now)]);
  const pendingTokens = codes.flatMap((code) =>
    code.token_hash === null ? [] : [insertRevokedToken(code, code.token_hash, now)],
  );
  return [...revokeCredentials(credentialConditions.app(clientId), now), ...pendingTokens];
}
