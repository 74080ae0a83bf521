import type { DirectoryJob } from '../operation/jobs.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import {
  claimSubmittedForm,
  deleteExpiredForms,
  findSubmittedForm,
  releaseSubmittedForm,
} from './sent-forms.queries.ts';

const FORM_RETENTION_MS = 24 * 60 * 60_000;

/** `id` is a hash of the browser's id, the form key, and the form's URL and values. */
export function createFormIdempotencyKey({ now }: Pick<RequestScope, 'now'>, id: string): IdempotencyKey {
  const since = now - FORM_RETENTION_MS;
  return {
    request: id,
    find: findSubmittedForm(id, since),
    release: releaseSubmittedForm(id),
    claim: (made) => claimSubmittedForm(id, made, now, since),
    keep: () => undefined,
  };
}

export const cleanSubmittedForms: DirectoryJob = {
  name: 'forms.clean',
  cost: 1,
  run: ({ directory, now }) =>
    directory.batch([deleteExpiredForms(now - FORM_RETENTION_MS)]).then(() => false),
};
