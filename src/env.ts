import * as z from 'zod';
import { quoteValue } from './kernel/errors/describe-parse-error.ts';
import { AppError } from './kernel/errors/errors.ts';
import type { Config, OAuthClientCredentials, S3Config } from './kernel/operation/config.ts';

const booleanVariable = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

const SECRET_BYTES_MIN = 32;
const OPERATOR_KEY_CHARACTERS_MIN = 32;

function createSecretSchema(name: string) {
  return z
    .string(`${name} is not set. Set it with \`wrangler secret put ${name}\``)
    .refine(
      (text) => new TextEncoder().encode(text).length >= SECRET_BYTES_MIN,
      `${name} must have at least ${SECRET_BYTES_MIN} bytes`,
    );
}

/** Requests per 15 minutes. Response headers announce this limit for every plan, so no enforced limit can be lower. */
const REST_REQUESTS_MIN = 300;
const restLimitVariable = z.coerce.number().int().min(REST_REQUESTS_MIN).default(REST_REQUESTS_MIN);

/**
 * A workspace's database time per minute, in milliseconds. All workspaces of a cell share its database, which has
 * 60,000 ms per minute (docs/adr/0043).
 */
const createBudgetSchema = (ms: number) => z.coerce.number().int().min(1).default(ms);

const environmentSchema = z.object({
  SESSION_SECRET: createSecretSchema('SESSION_SECRET'),
  SESSION_SECRET_PREVIOUS: createSecretSchema('SESSION_SECRET_PREVIOUS').optional(),
  MAIL_FROM: z.string().min(3),
  /** The email service's daily limit. A share is reserved for transactional email. */
  MAIL_DAILY_QUOTA: z.coerce.number().int().min(1).optional(),
  R2_BUCKET_NAME: z.string().min(3),
  R2_S3_ENDPOINT: z.url().optional(),
  R2_ACCOUNT_ID: z.string().optional(),
  R2_ACCESS_KEY_ID: z.string().optional(),
  R2_SECRET_ACCESS_KEY: z.string().optional(),
  PUBLIC_URL: z.url().optional(),
  ENVIRONMENT: z.enum(['local', 'production']).default('production'),
  /**
   * Durable Objects and files are stored in this jurisdiction. A D1 database's jurisdiction is set when it is created.
   */
  JURISDICTION: z.enum(['eu', 'us', 'fedramp']).optional(),
  DEFAULT_PLAN: z.enum(['free', 'medium', 'pro']).default('free'),
  /** A key that is too short is ignored, because a mistake in an optional secret must not stop the service. */
  OPERATOR_KEY: z.string().optional(),
  /** The private key for push notifications. Like `OPERATOR_KEY`, an invalid key is ignored. */
  VAPID_PRIVATE_KEY: z.string().optional(),
  EXPOSE_COST: booleanVariable,
  /**
   * The share of requests to log. Slow requests and most errors are always logged. A local server logs every request.
   */
  LOG_SAMPLE_RATE: z.coerce.number().min(0).max(1).default(1),
  ENFORCE_REST_RATE_LIMIT: booleanVariable,
  ENFORCE_API_KEY_PLAN: booleanVariable,
  RATE_LIMIT_FREE: restLimitVariable,
  RATE_LIMIT_MEDIUM: restLimitVariable,
  RATE_LIMIT_PRO: restLimitVariable,
  DATABASE_BUDGET_FREE: createBudgetSchema(20_000),
  DATABASE_BUDGET_MEDIUM: createBudgetSchema(25_000),
  DATABASE_BUDGET_PRO: createBudgetSchema(30_000),
  HEALTH_KEY: createSecretSchema('HEALTH_KEY').optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
});

const parsedConfigs = new WeakMap<Env, Config>();

/**
 * Throws if a variable is invalid, or if a deployment with local settings has a public host name. Every request then
 * fails, and the log names the variable. A local server rejects only requests for public hosts.
 */
export function parseEnv(env: Env, hostname?: string): Config {
  const config = parsedConfigs.get(env) ?? parseVariables(env);
  parsedConfigs.set(env, config);
  const { localDefaults, publicUrl } = config;
  if (localDefaults.length === 0) return config;
  const deploymentHost = publicUrl === null ? 'localhost' : new URL(publicUrl).hostname;
  const describe = (host: string) =>
    `This deployment isn't configured correctly: ${localDefaults.join('; ')}, and ${host} is a public host. See docs/deploy.md.`;
  if (!isReservedLocalHostname(deploymentHost)) throw new Error(describe(deploymentHost));
  if (hostname === undefined || isReservedLocalHostname(hostname)) return config;
  throw new LocalServerError(foreignHostError(hostname), describe(hostname));
}

/** Thrown for requests that a local server can't serve. Only the log contains `cause`, which says what to set. */
export class LocalServerError extends AppError {
  override readonly cause: string;

  constructor(error: AppError, cause: string) {
    super(error.code, error.message, { status: error.status });
    this.cause = cause;
  }
}

function foreignHostError(hostname: string): AppError {
  return new AppError(
    'invalid_request',
    `This server doesn't serve the host ${quoteValue(hostname)}. Set Host to localhost, 127.0.0.1, [::1], or a name that ends in .localhost or .test.`,
    { status: 421 },
  );
}

function parseVariables(env: Env): Config {
  const result = environmentSchema.safeParse(env);
  if (!result.success) {
    throw new Error(
      `This deployment isn't configured correctly: ${z.prettifyError(result.error)}. See docs/deploy.md.`,
    );
  }
  const vars = result.data;
  return {
    sessionSecret: vars.SESSION_SECRET,
    sessionSecretPrevious: vars.SESSION_SECRET_PREVIOUS ?? null,
    mailFrom: vars.MAIL_FROM,
    mailDailyQuota: vars.MAIL_DAILY_QUOTA ?? null,
    publicUrl: vars.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    defaultPlan: vars.DEFAULT_PLAN,
    isLocal: vars.ENVIRONMENT === 'local',
    localDefaults: findLocalDefaults(vars),
    operatorKey: toOperatorKey(vars.OPERATOR_KEY),
    vapidPrivateKey: toVapidPrivateKey(vars.VAPID_PRIVATE_KEY),
    exposeCost: vars.EXPOSE_COST,
    logSampleRate: vars.ENVIRONMENT === 'local' ? 1 : vars.LOG_SAMPLE_RATE,
    enforceRestRateLimit: vars.ENFORCE_REST_RATE_LIMIT,
    enforceApiKeyPlan: vars.ENFORCE_API_KEY_PLAN,
    restRateLimits: { free: vars.RATE_LIMIT_FREE, medium: vars.RATE_LIMIT_MEDIUM, pro: vars.RATE_LIMIT_PRO },
    databaseBudgets: {
      free: vars.DATABASE_BUDGET_FREE,
      medium: vars.DATABASE_BUDGET_MEDIUM,
      pro: vars.DATABASE_BUDGET_PRO,
    },
    healthKey: vars.HEALTH_KEY ?? null,
    github: toProviderClient(vars.GITHUB_CLIENT_ID, vars.GITHUB_CLIENT_SECRET),
    google: toProviderClient(vars.GOOGLE_CLIENT_ID, vars.GOOGLE_CLIENT_SECRET),
    s3: buildS3Access(vars),
    cells: findCells(env),
  };
}

function findLocalDefaults(vars: z.output<typeof environmentSchema>): string[] {
  const found: string[] = [];
  if (vars.ENVIRONMENT === 'local') found.push('ENVIRONMENT is local');
  if (/[@.]example\.(com|net|org)\b|\.example\b/i.test(vars.MAIL_FROM)) {
    found.push('MAIL_FROM is an address on a reserved domain');
  }
  if (vars.PUBLIC_URL?.startsWith('http:')) found.push('PUBLIC_URL is not https');
  if (vars.R2_SECRET_ACCESS_KEY === 'only-for-the-local-emulation') {
    found.push('R2_SECRET_ACCESS_KEY works only with the local emulation');
  }
  return found;
}

/** Matches loopback addresses, and the names that RFC 6761 reserves for this machine and for tests. */
function isReservedLocalHostname(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$|\.(localhost|test)$/.test(hostname);
}

function toOperatorKey(key = ''): string | null {
  return key.length >= OPERATOR_KEY_CHARACTERS_MIN ? key : null;
}

/** Converts base64 to base64url. `findVapidKey` logs an error if the key isn't valid. */
function toVapidPrivateKey(key = ''): string | null {
  const text = key.trim().replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return text === '' ? null : text;
}

function toProviderClient(id: string | undefined, secret: string | undefined): OAuthClientCredentials | null {
  return id && secret ? { id, secret } : null;
}

function buildS3Access(vars: z.output<typeof environmentSchema>): S3Config | null {
  const { R2_ACCESS_KEY_ID: accessKeyId, R2_SECRET_ACCESS_KEY: secretAccessKey } = vars;
  const host = vars.JURISDICTION
    ? `${vars.JURISDICTION}.r2.cloudflarestorage.com`
    : 'r2.cloudflarestorage.com';
  const account = vars.R2_ACCOUNT_ID ? `https://${vars.R2_ACCOUNT_ID}.${host}` : null;
  const endpoint = vars.R2_S3_ENDPOINT?.replace(/\/$/, '') ?? account;
  if (!accessKeyId || !secretAccessKey) return null;
  if (endpoint === null && vars.ENVIRONMENT !== 'local') return null;
  return { endpoint, bucket: vars.R2_BUCKET_NAME, accessKeyId, secretAccessKey };
}

function findCells(env: Env): ReadonlyMap<number, D1Database> {
  const cells = new Map<number, D1Database>();
  for (const [name, binding] of Object.entries(env)) {
    const match = /^CELL_(\d+)$/.exec(name);
    if (match) cells.set(Number(match[1]), binding as D1Database);
  }
  return cells;
}
