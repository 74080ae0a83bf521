/** What a deployment is configured with; `src/env.ts` reads it from the environment. */
import type { Plan } from '../access/access.ts';

/** How this deployment identifies itself to an identity provider. */
export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
}

/** What presigned addresses need of the bucket; the binding reads and writes it, but cannot sign. */
export interface S3Access {
  /** Null means the local emulation under the deployment's own origin. */
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Config {
  readonly sessionSecret: string;
  /** Still verifies; null outside a rotation (docs/operations.md). */
  readonly sessionSecretPrevious: string | null;
  readonly mailFrom: string;
  /** Origin of this deployment, without a trailing slash; null means "as the request says". */
  readonly publicUrl: string | null;
  /** The plan of new workspaces. */
  readonly defaultPlan: Plan;
  readonly isLocal: boolean;
  /** Variables that only suit a developer's machine. A public host name is not served with them. */
  readonly localDefaults: readonly string[];
  readonly exposeCost: boolean;
  readonly enforceRestRateLimit: boolean;
  readonly enforceApiKeyPlan: boolean;
  readonly github: ProviderClient | null;
  readonly google: ProviderClient | null;
  /** Null if the variables are not set; then nothing can be presigned. */
  readonly s3: S3Access | null;
  /** Databases by cell number. */
  readonly cells: ReadonlyMap<number, D1Database>;
}
