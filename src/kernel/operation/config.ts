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
  /** Null without an operator page. */
  readonly operatorKey: string | null;
  /** Share of ordinary requests that are logged. */
  readonly logSampleRate: number;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  /** Requests per 15 minutes and credential, where the limit is enforced. */
  readonly restRateLimits: Readonly<Record<Plan, number>>;
  /** Database milliseconds per minute and workspace. */
  readonly databaseBudgets: Readonly<Record<Plan, number>>;
  /** Null lets everyone see the complete health check. */
  readonly healthKey: string | null;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  /** Null if the variables aren't set, which disables presigning. */
  readonly s3: S3Access | null;
  readonly cells: ReadonlyMap<number, D1Database>;
}
