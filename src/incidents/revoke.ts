import { API_KEY_PREFIX, OAUTH_TOKEN_PREFIX } from '../credentials/credential.ts';
import type { Databases } from '../kernel/database.ts';
import { cellOfToken, hashSecret } from '../kernel/tokens.ts';
import { deleteSessionsOf } from '../own-account/own-account.queries.ts';
import { type Revoked, revokeAll, whose } from './revoke.queries.ts';

/**
 * Revokes credentials after an incident, for whoever runs the deployment: in the transaction in which a running request
 * would write.
 * @param subject a leaked key or token, the id of a person (whose browsers are signed out as well) or of a workspace, or the
 * client id of an app.
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
  if (subject.startsWith('usr_')) await directory.batch([deleteSessionsOf(subject)]);
  const condition = subject.startsWith('usr_')
    ? whose.person(subject)
    : subject.startsWith('ws_')
      ? whose.workspace(subject)
      : whose.app(subject);
  const revoked: Revoked[] = [];
  for (const cell of cells.values()) revoked.push(...(await cell.batch([revokeAll(condition, now)]))[0]);
  return revoked;
}
