import type * as z from 'zod';
import type { Access } from '../kernel/access/access.ts';
import { getReach } from '../kernel/access/capabilities.ts';
import type { Context, Operation } from '../kernel/operation/operation.ts';

type MemberAccess = Exclude<Access, 'public' | 'account'>;

export function bindOperation<A extends MemberAccess, I extends z.ZodObject, O extends z.ZodType>(
  { capability, handler }: Operation<A, I, O>,
  input: z.output<I>,
): (ctx: Context) => Promise<unknown> {
  return (ctx) => handler({ ...ctx, reach: getReach(ctx.caller, capability) } as never, input);
}
