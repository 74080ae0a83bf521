import type * as z from 'zod';
import type { Browser } from '../../../accounts/browser-sessions/browser-session.ts';
import { executePublic } from '../../../kernel/execute/execute-for-account.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { Operation } from '../../../kernel/operation/operation.ts';
import { deriveSiteFormKey } from '../../server/form-keys.ts';

/** Runs the operation of a form for people who aren't signed in. Submitting the form again returns the first result. */
export async function runPublicOperation<I extends z.ZodObject, O extends z.ZodType>(
  c: HttpContext,
  operation: Operation<'public', I, O>,
  input: z.input<I>,
  submission: { readonly browser: Browser; readonly form: URLSearchParams },
): Promise<z.output<O>> {
  const key = deriveSiteFormKey(c, submission.browser, submission.form, input);
  const { output } = await executePublic(operation, c.get('scope'), input, key);
  return output as z.output<O>;
}

export async function runPublicRead<I extends z.ZodObject, O extends z.ZodType>(
  c: HttpContext,
  operation: Operation<'public', I, O>,
  input: z.input<I>,
): Promise<z.output<O>> {
  const { output } = await executePublic(operation, c.get('scope'), input, null);
  return output as z.output<O>;
}
