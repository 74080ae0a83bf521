import type { Plan } from '../access/access.ts';

export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
}

/** Needed to presign addresses: the R2 binding reads and writes, but can't sign. */
export interface S3Access {
  /** Null for the local emulation under the deployment's own origin. */
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Config {
  readonly sessionSecret: string;
  /** Still accepted. Null outside a rotation (docs/operations.md). */
  readonly sessionSecretPrevious: string | null;
  readonly mailFrom: string;
  /** Null means no limit of our own. */
  readonly mailDailyQuota: number | null;
  /** Origin without a trailing slash. Null means the origin of the request. */
  readonly publicUrl: string | null;
  readonly defaultPlan: Plan;
  readonly isLocal: boolean;
  /** Variables that only suit a developer's machine. The service refuses a public host name while they are set. */
  readonly localDefaults: readonly string[];
  readonly exposeCost: boolean;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  /** Null if the variables aren't set, which disables presigning. */
  readonly s3: S3Access | null;
  readonly cells: ReadonlyMap<number, D1Database>;
}
