import type { Browser } from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { createIdempotencyKey } from '../../kernel/idempotency/idempotency.ts';
import { createFormIdempotencyKey } from '../../kernel/idempotency/sent-forms.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import type { IdempotencyKey } from '../../kernel/sql/idempotency-key.ts';

export function deriveFormKey(
  c: HttpContext,
  fields: URLSearchParams,
  input: Readonly<Record<string, unknown>>,
): (caller: Caller) => IdempotencyKey {
  return (caller) => {
    // The same form key with different values is a different request.
    const content = `${c.req.path} ${JSON.stringify(input)}`;
    return createIdempotencyKey(
      c.get('scope'),
      caller,
      hashSecret(`${fields.get('once')} ${content}`),
      content,
    );
  };
}

export function deriveSiteFormKey(
  c: HttpContext,
  { idHash }: Browser,
  fields: URLSearchParams,
  input: Readonly<Record<string, unknown>>,
): IdempotencyKey {
  const content = `${c.req.path} ${JSON.stringify(input)}`;
  return createFormIdempotencyKey(c.get('scope'), hashSecret(`${idHash} ${fields.get('once')} ${content}`));
}
