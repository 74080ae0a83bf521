import type { RequestScope } from '../operation/request-scope.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { claimSent, deleteOutdatedForms, findSent, releaseSent } from './sent-forms.queries.ts';

const KEPT_MS = 24 * 60 * 60_000;

/** Form keys are stored in the directory, where accounts are written. `id` is a hash of the browser and the form. */
export function openSentForm({ now }: Pick<RequestScope, 'now'>, id: string): IdempotencyKey {
  const since = now - KEPT_MS;
  return {
    request: id,
    find: findSent(id, since),
    release: releaseSent(id),
    claim: (made) => claimSent(id, made, now, since),
    keep: () => undefined,
  };
}

export async function cleanSentForms(scope: Pick<RequestScope, 'directory' | 'now'>): Promise<void> {
  await scope.directory.batch([deleteOutdatedForms(scope.now - KEPT_MS)]);
}
