import { openIdempotencyKey } from '../idempotency/idempotency.ts';
import type { Caller } from '../kernel/access.ts';
import type { HttpContext } from '../kernel/http.ts';
import type { IdempotencyKey } from '../kernel/idempotency-key.ts';
import { hashSecret } from '../kernel/tokens.ts';

/** The key of a form that was sent, by which it counts once; null for a form without one. */
export function keyOfForm(
  c: HttpContext,
  fields: URLSearchParams,
  input: Readonly<Record<string, unknown>>,
): (caller: Caller) => IdempotencyKey | null {
  return (caller) => {
    const once = fields.get('once');
    if (once === null || once === '') return null;
    // The same form with other words is another request, however often the person went back to it.
    const said = `${c.req.path} ${JSON.stringify(input)}`;
    return openIdempotencyKey(c.get('scope'), caller, hashSecret(`${once} ${said}`), said);
  };
}
