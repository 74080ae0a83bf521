import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Addresses that are told of events (docs/events.md). Times are milliseconds since the epoch. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    member: integer().notNull(),
    /** The key or token that it was made with, and ends with. Null: made with a session, it ends with the membership. */
    credential: integer(),
    url: text().notNull(),
    description: text(),
    /** JSON array; null: every type. */
    types: text(),
    project: integer(),
    batch: integer().$type<0 | 1>().notNull().default(0),
    /** Sealed, see src/webhooks/secrets. */
    secret: text().notNull(),
    previous_secret: text(),
    previous_until: integer(),
    /** JSON array of `{secret, until}`: the two before `previous_secret`, newest first; null where there is none. */
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
    /** The last `seq` that it got, or that it does not get. */
    cursor: integer().notNull(),
    /** The last `seq` that it got; null until one came since it was made or sent back. */
    delivered: integer(),
    delivered_at: integer(),
    /** Attempts in all, and those that failed since the last that did not. */
    attempts: integer().notNull().default(0),
    failures: integer().notNull().default(0),
    failing_since: integer(),
    warned: integer().$type<0 | 1>().notNull().default(0),
    next_attempt_at: integer(),
    created_at: integer().notNull(),
  },
  (table) => [
    index('webhooks_by_workspace').on(table.ws),
    index('webhooks_active').on(table.id).where(sql`status = 'active'`),
  ],
);

/** The last 100 attempts of each webhook: attempt `no` overwrites attempt `no - 100`, which has the same `slot`. */
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
    /** HTTP status; null where none came. */
    status: integer(),
    error: text(),
    answer: text(),
    ms: integer().notNull(),
    attempted_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhook, table.slot] })],
);
