import type { Plan } from '../access/access.ts';

export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
}

/** Credentials for presigning URLs. The R2 binding can read and write, but can't sign. */
export interface S3Access {
  /** Null if the deployment emulates S3 at its own origin. */
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Config {
  readonly sessionSecret: string;
  /** The previous secret, which is still accepted during a rotation (docs/operations.md). Otherwise null. */
  readonly sessionSecretPrevious: string | null;
  readonly mailFrom: string;
  /** Null if only the email service limits email. */
  readonly mailDailyQuota: number | null;
  /** The origin without a trailing slash. If null, the request's origin is used. */
  readonly publicUrl: string | null;
  readonly defaultPlan: Plan;
  readonly isLocal: boolean;
  /** The variables that have a local machine's values. If there are any, the service rejects public host names. */
  readonly localDefaults: readonly string[];
  readonly exposeCost: boolean;
  /** The key for the operator page. Without a key, the page doesn't exist. */
  readonly operatorKey: string | null;
  readonly logSampleRate: number;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  /** The number of requests per credential in 15 minutes, if the limit is enforced. */
  readonly restRateLimits: Readonly<Record<Plan, number>>;
  /** The milliseconds of database time per minute that a workspace may use. */
  readonly databaseBudgets: Readonly<Record<Plan, number>>;
  /** The key for the complete health check. Without a key, anyone can run it. */
  readonly healthKey: string | null;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  /** Null if the variables aren't set, which disables presigning. */
  readonly s3: S3Access | null;
  readonly cells: ReadonlyMap<number, D1Database>;
}
