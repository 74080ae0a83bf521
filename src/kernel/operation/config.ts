import type { Plan } from '../access/access.ts';

export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
}

/** Credentials to presign URLs. The R2 binding can read and write, but not sign. */
export interface S3Access {
  /** Null if the deployment emulates S3 under its own origin. */
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Config {
  readonly sessionSecret: string;
  /** The previous secret, which is still accepted. Null outside a rotation (docs/operations.md). */
  readonly sessionSecretPrevious: string | null;
  readonly mailFrom: string;
  /** Null means that only the email service limits mail. */
  readonly mailDailyQuota: number | null;
  /** Origin without a trailing slash. Null means the origin of the request. */
  readonly publicUrl: string | null;
  readonly defaultPlan: Plan;
  readonly isLocal: boolean;
  /** Variables that suit only a developer's machine. While any is set, the service refuses a public host name. */
  readonly localDefaults: readonly string[];
  readonly exposeCost: boolean;
  /** The key to the operator page. Null disables the page. */
  readonly operatorKey: string | null;
  /** Share of ordinary requests that are logged. */
  readonly logSampleRate: number;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  /** Requests per credential in 15 minutes, if the limit is enforced. */
  readonly restRateLimits: Readonly<Record<Plan, number>>;
  /** Milliseconds of database time per workspace and minute. */
  readonly databaseBudgets: Readonly<Record<Plan, number>>;
  /** The key to the complete health check. Null makes the complete check public. */
  readonly healthKey: string | null;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  /** Null if the variables aren't set, which disables presigning. */
  readonly s3: S3Access | null;
  readonly cells: ReadonlyMap<number, D1Database>;
}
