import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler, ValidationTargets } from 'hono';
import type * as z from 'zod';
import type { HttpContext, HttpEnv } from './http.ts';

type RejectionHandler = (error: z.ZodError, c: HttpContext) => Response | Promise<Response>;

export function validateRequest<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
  reject: RejectionHandler,
): MiddlewareHandler<HttpEnv, string, { out: Record<Target, z.output<Schema>> }> {
  const whole: z.ZodType = schema;
  const middleware: MiddlewareHandler = zValidator(
    target,
    whole,
    (result, c) => (result.success ? undefined : reject(result.error as z.ZodError, c as HttpContext)),
    { validationFunction: (_, value) => whole.safeParse(value, { reportInput: true }) },
  );
  return middleware;
}
