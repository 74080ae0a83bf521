import * as z from 'zod';
import { validateRequest } from '../../kernel/http/validate.ts';
import { OAuthError } from './oauth-error.ts';

const SHOWN_NAME_CHARACTERS_MAX = 60;

/** An empty parameter is treated as missing (RFC 6749 §3.1). A repeated parameter is an array. */
function toSingleValue(given: unknown): unknown {
  if (Array.isArray(given) && given.length === 1) return given[0];
  return given === '' ? undefined : given;
}

export const requiredParameter = z.preprocess(toSingleValue, z.string());
export const optionalParameter = z.preprocess(toSingleValue, z.string().optional());

/** Rejects repeated parameters, including unknown ones (RFC 6749 §3.1 and §3.2). */
export function buildParameterSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).catchall(optionalParameter);
}

export function validateParameters<Target extends 'query' | 'form', Schema extends z.ZodObject>(
  target: Target,
  schema: Schema,
) {
  return validateRequest(target, schema, (error) => {
    throw parameterError(error);
  });
}

export function parameterError({ issues }: z.ZodError): OAuthError {
  const repeated = issues.find(({ input }) => Array.isArray(input));
  const name = String((repeated ?? issues[0])?.path[0]).slice(0, SHOWN_NAME_CHARACTERS_MAX);
  return new OAuthError(
    'invalid_request',
    repeated
      ? `${name} was sent more than once. Send each parameter once.`
      : `The parameter ${name} is required.`,
  );
}
