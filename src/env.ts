import { z } from 'zod';
import type { RateWindow } from './rate-limit/rate-window.ts';

declare global {
  /** Bindings and variables as wrangler.toml and the secrets set them. `CELL_1`, `CELL_2`, … are found by name. */
  interface Env {
    DIRECTORY: D1Database;
    CELL_0: D1Database;
    RATE_WINDOW: DurableObjectNamespace<RateWindow>;
    EMAIL?: SendEmail;
    ASSETS?: Fetcher;
    SESSION_SECRET: string;
    MAIL_FROM: string;
    PUBLIC_URL?: string;
    ENVIRONMENT?: string;
    EXPOSE_COST?: string;
    ENFORCE_REST_RATE_LIMIT?: string;
    ENFORCE_API_KEY_PLAN?: string;
  }
}

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

const variables = z.object({
  SESSION_SECRET: z
    .string('SESSION_SECRET is not set; set it with `wrangler secret put SESSION_SECRET`')
    .refine(
      (secret) => new TextEncoder().encode(secret).length >= 32,
      'SESSION_SECRET must have at least 32 bytes',
    ),
  MAIL_FROM: z.string().min(3),
  PUBLIC_URL: z.url().optional(),
  /** `local` opens the mail outbox at /dev/outbox. Anything else is production. */
  ENVIRONMENT: z.enum(['local', 'production']).default('production'),
  EXPOSE_COST: flag,
  ENFORCE_REST_RATE_LIMIT: flag,
  ENFORCE_API_KEY_PLAN: flag,
});

export interface Config {
  readonly sessionSecret: string;
  readonly mailFrom: string;
  /** Origin of this deployment, without a trailing slash; null means "as the request says". */
  readonly publicUrl: string | null;
  readonly isLocal: boolean;
  readonly exposeCost: boolean;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  /** Databases by cell number. */
  readonly cells: ReadonlyMap<number, D1Database>;
}

const parsed = new WeakMap<Env, Config>();

/** Parses the environment once an isolate. Throws where a secret is missing: the worker then serves nothing. */
export function parseEnv(env: Env): Config {
  const known = parsed.get(env);
  if (known) return known;
  const result = variables.safeParse(env);
  if (!result.success) {
    throw new Error(`This deployment is not configured: ${z.prettifyError(result.error)} (docs/deploy.md)`);
  }
  const vars = result.data;
  const config: Config = {
    sessionSecret: vars.SESSION_SECRET,
    mailFrom: vars.MAIL_FROM,
    publicUrl: vars.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    isLocal: vars.ENVIRONMENT === 'local',
    exposeCost: vars.EXPOSE_COST,
    enforceRestRateLimit: vars.ENFORCE_REST_RATE_LIMIT,
    enforceApiKeyPlan: vars.ENFORCE_API_KEY_PLAN,
    cells: findCells(env),
  };
  parsed.set(env, config);
  return config;
}

function findCells(env: Env): ReadonlyMap<number, D1Database> {
  const cells = new Map<number, D1Database>();
  for (const [name, binding] of Object.entries(env)) {
    const match = /^CELL_(\d+)$/.exec(name);
    if (match) cells.set(Number(match[1]), binding as D1Database);
  }
  return cells;
}
