import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { openSecret } from '../secrets/secret-seal.ts';
import type { WebhookSenderRow } from './delivery.queries.ts';

type SealedSecrets = Pick<
  WebhookSenderRow,
  'secret' | 'previous_secret' | 'previous_until' | 'older_secrets'
>;

interface EarlierSecret {
  readonly secret: string | null;
  readonly until: number | null;
}

export function listEarlierSecrets({
  previous_secret,
  previous_until,
  older_secrets,
}: Omit<SealedSecrets, 'secret'>): { secret: string; until: number }[] {
  const older: (EarlierSecret | null)[] = JSON.parse(older_secrets ?? '[]');
  const all = [{ secret: previous_secret, until: previous_until }, ...older];
  return all.flatMap((each) => (each?.secret ? [{ secret: each.secret, until: each.until ?? 0 }] : []));
}

/**
 * Returns the current secret and the secrets replaced in the past day. Returns null if the current secret can't be
 * decrypted.
 */
export async function openSigningSecrets(
  { config, now }: RequestScope,
  workspaceId: string,
  sender: SealedSecrets,
): Promise<string[] | null> {
  const secret = await openSecret(config, workspaceId, sender.secret);
  if (secret === null) return null;
  const signing = listEarlierSecrets(sender).filter(({ until }) => until > now);
  const earlier = await Promise.all(signing.map((each) => openSecret(config, workspaceId, each.secret)));
  return [secret, ...earlier.filter((each) => each !== null)];
}
