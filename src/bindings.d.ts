import type { WorkspaceHub } from './events/hub/workspace-hub.ts';
import type { UploadSession } from './files/uploads/upload-session.ts';
import type { RateWindow } from './kernel/rate-limit/rate-window.ts';
import type { ErrorLog } from './kernel/telemetry/error-log.ts';
import type { PushTask } from './notifications/push/push-task.ts';
import type { DatabaseKeeper } from './upkeep/keeper/database-keeper.ts';

declare global {
  /** Cells after `CELL_0` are bound as `CELL_1`, `CELL_2` and so on, and are looked up by name. */
  interface Env {
    DIRECTORY: D1Database;
    CELL_0: D1Database;
    RATE_WINDOW: DurableObjectNamespace<RateWindow>;
    UPLOAD_SESSION: DurableObjectNamespace<UploadSession>;
    DATABASE_KEEPER: DurableObjectNamespace<DatabaseKeeper>;
    WORKSPACE_HUB: DurableObjectNamespace<WorkspaceHub>;
    ERROR_LOG: DurableObjectNamespace<ErrorLog>;
    METRICS?: AnalyticsEngineDataset;
    VERSION?: WorkerVersionMetadata;
    FILES: R2Bucket;
    R2_BUCKET_NAME: string;
    R2_S3_ENDPOINT?: string;
    R2_ACCOUNT_ID?: string;
    R2_ACCESS_KEY_ID?: string;
    R2_SECRET_ACCESS_KEY?: string;
    EMAIL?: SendEmail;
    /** Queues of outbox email ids. Without them, requests and cron jobs send the emails themselves. */
    TRANSACTIONAL_MAIL?: Queue<number>;
    NOTIFICATION_MAIL?: Queue<number>;
    /** Browsers to notify. Without this queue, push notifications are off. */
    PUSH_NOTIFICATIONS?: Queue<PushTask>;
    ASSETS: Fetcher;
    SESSION_SECRET: string;
    SESSION_SECRET_PREVIOUS?: string;
    /** The password for `/operator`. Without it, that page doesn't exist. */
    OPERATOR_KEY?: string;
    /** Identifies this deployment to push services. Without it, push notifications are off. */
    VAPID_PRIVATE_KEY?: string;
    MAIL_FROM: string;
    MAIL_DAILY_QUOTA?: string;
    PUBLIC_URL?: string;
    ENVIRONMENT?: string;
    JURISDICTION?: 'eu' | 'us' | 'fedramp';
    DEFAULT_PLAN?: string;
    EXPOSE_COST?: string;
    LOG_SAMPLE_RATE?: string;
    ENFORCE_REST_RATE_LIMIT?: string;
    ENFORCE_API_KEY_PLAN?: string;
    RATE_LIMIT_FREE?: string;
    RATE_LIMIT_MEDIUM?: string;
    RATE_LIMIT_PRO?: string;
    DATABASE_BUDGET_FREE?: string;
    DATABASE_BUDGET_MEDIUM?: string;
    DATABASE_BUDGET_PRO?: string;
    HEALTH_KEY?: string;
    GITHUB_CLIENT_ID?: string;
    GITHUB_CLIENT_SECRET?: string;
    GOOGLE_CLIENT_ID?: string;
    GOOGLE_CLIENT_SECRET?: string;
  }
}
