import type { Plan } from '../access/access.ts';

export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
}

/** Credentials for presigning URLs, because the R2 binding can read and write, but not sign. */
export interface S3Access {
  /** Null if the deployment emulates S3 under its own origin. */
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
  /** Null if only the email service limits mail. */
  readonly mailDailyQuota: number | null;
  /** The origin, without a trailing slash. Null means the origin of the request. */
  readonly publicUrl: string | null;
  readonly defaultPlan: Plan;
  readonly isLocal: boolean;
  /** Variables with values for a developer's machine. While any of them is set, the service refuses public host names. */
  readonly localDefaults: readonly string[];
  readonly exposeCost: boolean;
  /** The key to the operator page. Without a key, there is no page. */
  readonly operatorKey: string | null;
  readonly logSampleRate: number;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  /** Requests per credential in 15 minutes, if the limit is enforced. */
  readonly restRateLimits: Readonly<Record<Plan, number>>;
  /** Milliseconds of database time that a workspace may use per minute. */
  readonly databaseBudgets: Readonly<Record<Plan, number>>;
  /** The key to the complete health check. Without a key, anyone can run the complete check. */
  readonly healthKey: string | null;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  /** Null if the variables aren't set. Presigning is then disabled. */
  readonly s3: S3Access | null;
  readonly cells: ReadonlyMap<number, D1Database>;
}
