import type { Plan } from '../access/access.ts';

export interface OAuthClientCredentials {
  readonly id: string;
  readonly secret: string;
}

export interface S3Config {
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Config {
  readonly sessionSecret: string;
  /** Null except during a rotation (docs/operations.md). */
  readonly sessionSecretPrevious: string | null;
  readonly mailFrom: string;
  /** If null, only the email service's own limit applies. */
  readonly mailDailyQuota: number | null;
  /** Without a trailing slash. If null, the request's origin is used. */
  readonly publicUrl: string | null;
  readonly defaultPlan: Plan;
  readonly isLocal: boolean;
  /**
   * Messages about variables that are set for a local server. If there are any, Edgework rejects requests to public
   * host names.
   */
  readonly localDefaults: readonly string[];
  readonly exposeCost: boolean;
  readonly operatorKey: string | null;
  /** 32 bytes in base64url. If null, there are no push notifications. */
  readonly vapidPrivateKey: string | null;
  readonly logSampleRate: number;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  /** Requests per credential in 15 minutes. */
  readonly restRateLimits: Readonly<Record<Plan, number>>;
  /** Milliseconds of database time that a workspace can use per minute. */
  readonly databaseBudgets: Readonly<Record<Plan, number>>;
  /** If null, anyone can run the complete health check. */
  readonly healthKey: string | null;
  readonly github: OAuthClientCredentials | null;
  readonly google: OAuthClientCredentials | null;
  readonly s3: S3Config | null;
  readonly cells: ReadonlyMap<number, D1Database>;
}
