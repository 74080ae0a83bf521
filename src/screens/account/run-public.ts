import type * as z from 'zod';
import { authenticate } from '../../credentials/authenticate.ts';
import { execute } from '../../kernel/execute.ts';
import type { HttpContext } from '../../kernel/http.ts';
import type { Operation } from '../../kernel/operation.ts';

/** Runs an operation that needs nobody to be signed in. */
export async function runPublic<I extends z.ZodObject, O extends z.ZodType>(
  c: HttpContext,
  operation: Operation<'public', I, O>,
  input: z.input<I>,
): Promise<z.output<O>> {
  const scope = c.get('scope');
  const { output } = await execute(operation, {
    request: scope,
    authenticator: authenticate(c),
    input: () => input,
    cell: (caller) => scope.cell(caller.cell),
  });
  return output as z.output<O>;
}
