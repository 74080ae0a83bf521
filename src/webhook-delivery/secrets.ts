import type { RequestScope } from '../kernel/request-scope.ts';
import { openSecret } from '../webhook-secrets/secret-seal.ts';
import type { SenderRow } from './delivery.queries.ts';

/** What signs now: the secret, and for a day after a rotation the one before. Null where it cannot be opened. */
export async function openSecrets(
  { config, now }: RequestScope,
  workspaceId: string,
  sender: Pick<SenderRow, 'secret' | 'previous_secret' | 'previous_until'>,
): Promise<string[] | null> {
  const secret = await openSecret(config, workspaceId, sender.secret);
  if (secret === null) return null;
  const { previous_secret, previous_until } = sender;
  if (previous_secret === null || (previous_until ?? 0) <= now) return [secret];
  const previous = await openSecret(config, workspaceId, previous_secret);
  return previous === null ? [secret] : [secret, previous];
}
