import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../kernel/http/http.ts';
import { readUrlEncodedForm } from '../../web/server/page-form.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

const FORM_CONTENT_TYPE_PATTERN = /^application\/x-www-form-urlencoded\b/i;

export const requireFormBody: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const type = c.req.header('Content-Type') ?? '';
  if (!FORM_CONTENT_TYPE_PATTERN.test(type)) {
    throw new OAuthError(
      'invalid_request',
      `The body must be application/x-www-form-urlencoded; got '${type.slice(0, 60)}'.`,
    );
  }
  await readUrlEncodedForm(c);
  await next();
};
