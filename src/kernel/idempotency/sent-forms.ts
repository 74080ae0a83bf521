import type { DirectoryJob } from '../operation/jobs.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { claimSentForm, deleteExpiredForms, findSentForm, releaseSentForm } from './sent-forms.queries.ts';

const FORM_RETENTION_MS = 24 * 60 * 60_000;

/** `id` is a hash of the browser's id, the form key, and the form's URL and values. */
export function createFormIdempotencyKey({ now }: Pick<RequestScope, 'now'>, id: string): IdempotencyKey {
  const since = now - FORM_RETENTION_MS;
  return {
    request: id,
    find: findSentForm(id, since),
    release: releaseSentForm(id),
    claim: (made) => claimSentForm(id, made, now, since),
    keep: () => undefined,
  };
}

export const cleanSentForms: DirectoryJob = {
  name: 'forms.clean',
  cost: 1,
  run: ({ directory, now }) =>
    directory.batch([deleteExpiredForms(now - FORM_RETENTION_MS)]).then(() => false),
};
