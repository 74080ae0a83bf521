import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Addresses that are told of events (docs/events.md). Times are milliseconds since the epoch. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer('id').primaryKey(),
    ws: integer('ws').notNull(),
    member: integer('member').notNull(),
    /** What it was made with, and what it may see ends with; null: a session, so the membership alone. */
    credential: integer('credential'),
    url: text('url').notNull(),
    description: text('description'),
    /** JSON array; null: every type. */
    types: text('types'),
    project: integer('project'),
    batch: integer('batch').notNull().default(0),
    /** Sealed, see src/webhook-secrets. */
    secret: text('secret').notNull(),
    previous_secret: text('previous_secret'),
    previous_until: integer('previous_until'),
    status: text('status', { enum: ['active', 'paused', 'stopped'] })
      .notNull()
      .default('active'),
    stop_reason: text('stop_reason'),
    /** The last `seq` that it got, or that it does not get. */
    cursor: integer('cursor').notNull(),
    /** The last `seq` that it got; null until one came since it was made or sent back. */
    delivered: integer('delivered'),
    delivered_at: integer('delivered_at'),
    /** Attempts in all, and those that failed since the last that did not. */
    attempts: integer('attempts').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    failing_since: integer('failing_since'),
    warned: integer('warned').notNull().default(0),
    next_attempt_at: integer('next_attempt_at'),
    created_at: integer('created_at').notNull(),
  },
  (table) => [index('webhooks_by_workspace').on(table.ws), index('webhooks_active').on(table.id)],
);

/** The last 100 attempts of each webhook: attempt `no` overwrites attempt `no - 100`, which has the same `slot`. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    ws: integer('ws').notNull(),
    webhook: integer('webhook').notNull(),
    slot: integer('slot').notNull(),
    no: integer('no').notNull(),
    message: text('message').notNull(),
    first_seq: integer('first_seq'),
    last_seq: integer('last_seq'),
    /** HTTP status; null where none came. */
    status: integer('status'),
    error: text('error'),
    answer: text('answer'),
    ms: integer('ms').notNull(),
    attempted_at: integer('attempted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhook, table.slot] })],
);
