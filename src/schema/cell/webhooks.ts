import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    member: integer().notNull(),
    /**
     * The API key or token that created or restarted the webhook. Revoking it stops the webhook. If null, the webhook
     * stops when the member leaves.
     */
    credential: integer(),
    url: text().notNull(),
    description: text(),
    /** A JSON array of event types, or null for all types. */
    types: text(),
    project: integer(),
    batch: integer().$type<0 | 1>().notNull().default(0),
    /** Encrypted (src/webhooks/secrets). */
    secret: text().notNull(),
    previous_secret: text(),
    previous_until: integer(),
    /** The two secrets before `previous_secret`, newest first, as a JSON array of `{secret, until}` and nulls. */
    older_secrets: text(),
    status: text({ enum: ['active', 'paused', 'stopped'] })
      .notNull()
      .default('active'),
    stop_reason: text({
      enum: [
        'receiver_gone',
        'failed_too_long',
        'access_ended',
        'address_refused',
        'secret_unreadable',
        'scope',
      ],
    }),
    /** The `seq` of the last event that was delivered or skipped. */
    cursor: integer().notNull(),
    /** The `seq` of the last event delivered since the webhook was created or rewound, or null. */
    delivered: integer(),
    delivered_at: integer(),
    /** `attempts` counts all attempts. `failures` counts the failed ones since the last success. */
    attempts: integer().notNull().default(0),
    failures: integer().notNull().default(0),
    failing_since: integer(),
    warned: integer().$type<0 | 1>().notNull().default(0),
    next_attempt_at: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    index('webhooks_by_workspace').on(table.ws),
    index('webhooks_stuck').on(table.failing_since).where(sql`failures > 0 OR status = 'stopped'`),
    index('webhooks_active').on(table.id).where(sql`status = 'active'`),
  ],
);

/** The last 100 attempts of each webhook. Attempt `no` overwrites attempt `no - 100`, which has the same `slot`. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    ws: integer().notNull(),
    webhook: integer().notNull(),
    slot: integer().notNull(),
    no: integer().notNull(),
    message: text().notNull(),
    first_seq: integer(),
    last_seq: integer(),
    status: integer(),
    error: text(),
    answer: text(),
    ms: integer().notNull(),
    attempted_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhook, table.slot] })],
);
