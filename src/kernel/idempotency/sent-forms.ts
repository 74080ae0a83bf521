import type { RequestScope } from '../operation/request-scope.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { claimSentForm, deleteExpiredForms, findSentForm, releaseSentForm } from './sent-forms.queries.ts';

const FORM_RETENTION_MS = 24 * 60 * 60_000;

/** `id` is a hash of the browser and the form. */
export function openSentForm({ now }: Pick<RequestScope, 'now'>, id: string): IdempotencyKey {
  const since = now - FORM_RETENTION_MS;
  return {
    request: id,
    find: findSentForm(id, since),
    release: releaseSentForm(id),
    claim: (made) => claimSentForm(id, made, now, since),
    keep: () => undefined,
  };
}

export async function cleanSentForms(scope: Pick<RequestScope, 'directory' | 'now'>): Promise<void> {
  await scope.directory.batch([deleteExpiredForms(scope.now - FORM_RETENTION_MS)]);
}
