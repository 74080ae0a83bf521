import type * as z from 'zod';
import type { Access } from '../kernel/access/access.ts';
import { getReach } from '../kernel/access/capabilities.ts';
import type { Context, Operation } from '../kernel/operation/operation.ts';

type MemberAccess = Exclude<Access, 'public' | 'account'>;

/** Runs an operation as if the person had sent the request, with their role's reach for it. */
export function runAs<A extends MemberAccess, I extends z.ZodObject, O extends z.ZodType>(
  { capability, handler }: Operation<A, I, O>,
  input: z.output<I>,
): (ctx: Context) => Promise<unknown> {
  return (ctx) => handler({ ...ctx, reach: getReach(ctx.caller, capability) } as never, input);
}
