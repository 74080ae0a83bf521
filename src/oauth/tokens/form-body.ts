import type { HttpContext } from '../../kernel/http/http.ts';
import { readUrlEncoded } from '../../web/server/page-form.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { type Parameters, readParameters, repeatedParameter } from '../protocol/parameters.ts';

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** The parameters of a POST (RFC 6749 section 3.2): a form, each parameter once. `bodyLimit` has checked its size. */
export async function readForm(c: HttpContext): Promise<Parameters> {
  const type = c.req.header('Content-Type') ?? '';
  if (!FORM.test(type)) {
    throw new OAuthError(
      'invalid_request',
      `The body must be application/x-www-form-urlencoded; got '${type.slice(0, 60)}'.`,
    );
  }
  const parameters = readParameters(await readUrlEncoded(c));
  const [repeated] = parameters.repeated;
  if (repeated !== undefined) throw repeatedParameter(repeated.slice(0, 60));
  return parameters;
}

export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === null) throw new OAuthError('invalid_request', `The parameter ${name} is required.`);
  return value;
}
