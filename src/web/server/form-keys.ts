import type { Browser } from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { openIdempotencyKey } from '../../kernel/idempotency/idempotency.ts';
import { openSentForm } from '../../kernel/idempotency/sent-forms.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import type { IdempotencyKey } from '../../kernel/sql/idempotency-key.ts';

/** The key of a form that was sent, by which it counts once. */
export function toFormKey(
  c: HttpContext,
  fields: URLSearchParams,
  input: Readonly<Record<string, unknown>>,
): (caller: Caller) => IdempotencyKey {
  return (caller) => {
    // The same form with other words is another request, however often the person went back to it.
    const said = `${c.req.path} ${JSON.stringify(input)}`;
    return openIdempotencyKey(c.get('scope'), caller, hashSecret(`${fields.get('once')} ${said}`), said);
  };
}

/** The key of a form outside of workspaces. It belongs to the browser, whoever is signed in there. */
export function toSiteFormKey(
  c: HttpContext,
  { idHash }: Browser,
  fields: URLSearchParams,
  input: Readonly<Record<string, unknown>>,
): IdempotencyKey {
  const said = `${c.req.path} ${JSON.stringify(input)}`;
  return openSentForm(c.get('scope'), hashSecret(`${idHash} ${fields.get('once')} ${said}`));
}
