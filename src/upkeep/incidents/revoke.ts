import { API_KEY_PREFIX, OAUTH_TOKEN_PREFIX } from '../../accounts/credentials/credential.ts';
import { deleteLinksOf, deleteSessionsOf } from '../../accounts/own/own-account.queries.ts';
import { cellOfToken, hashSecret } from '../../kernel/secrets/tokens.ts';
import type { Database, Databases } from '../../kernel/sql/database.ts';
import { deleteCodesOf } from '../../oauth/consent/codes.queries.ts';
import { putRevokedToken } from '../../oauth/tokens/issued-token.ts';
import { membersOf, type Revoked, revokeAll, revokeEverything, whose } from './revoke.queries.ts';

/**
 * Revokes credentials after an incident, for whoever runs the deployment: in the transaction in which a running request
 * would write.
 * @param subject a leaked key or token, the client id of an app, or the id of a person or a workspace, of which every way in
 * ends (docs/adr/0022); a person is signed out of their browsers as well.
 * @returns what worked until now; null for text that is cut off or mistyped.
 */
export async function revoke(
  { directory, cells }: Databases,
  subject: string,
  now: number,
): Promise<Revoked[] | null> {
  const prefix = [API_KEY_PREFIX, OAUTH_TOKEN_PREFIX].find((each) => subject.startsWith(each));
  if (prefix) {
    const cell = cells.get(cellOfToken(prefix, subject) ?? -1);
    if (!cell) return null;
    const [revoked] = await cell.batch([revokeAll(whose.hash(hashSecret(subject)), now)]);
    return revoked;
  }
  const isPerson = subject.startsWith('usr_');
  const isWorkspace = subject.startsWith('ws_');
  // The directory comes first: what waits there could become a way into a cell.
  if (isPerson) await directory.batch([deleteSessionsOf(subject), deleteLinksOf(subject)]);
  const statements = isPerson
    ? revokeEverything(membersOf.person(subject), now)
    : isWorkspace
      ? revokeEverything(membersOf.workspace(subject), now)
      : await revokeApp(directory, subject, now);
  const revoked: Revoked[] = [];
  for (const cell of cells.values())
    revoked.push(...(await cell.batch(statements)).flatMap((ended) => ended ?? []));
  return revoked;
}

/** What an app holds in a cell, and what an exchange that is under way would write there a moment later. */
async function revokeApp(directory: Database, clientId: string, now: number) {
  const [codes] = await directory.batch([deleteCodesOf(clientId, now)]);
  const coming = codes.flatMap((code) =>
    code.token_hash === null ? [] : [putRevokedToken(code, code.token_hash, now)],
  );
  return [revokeAll(whose.app(clientId), now), ...coming];
}
