import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Changes that an app has prepared for the person who authorized it (docs/adr/0049). */
export const changeSets = sqliteTable(
  'change_sets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    member: integer().notNull(),
    /** The OAuth client. A set isn't bound to a token, because tokens change every hour. */
    client: text().notNull(),
    app: text().notNull(),
    title: text().notNull().default(''),
    reason: text().notNull().default(''),
    status: text({ enum: ['open', 'proposed', 'applied', 'rejected', 'discarded'] })
      .notNull()
      .default('open'),
    items: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    created_at: integer().notNull(),
    /** The time of the last staged change. */
    changed_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('change_sets_open').on(table.ws, table.member, table.client).where(sql`status = 'open'`),
    index('change_sets_by_member').on(table.member),
    index('change_sets_ended').on(table.expires_at).where(sql`status <> 'open' OR items > 0`),
    index('change_sets_abandoned').on(table.expires_at).where(sql`status = 'open' AND items = 0`),
  ],
);

export const changeSetItems = sqliteTable(
  'change_set_items',
  {
    set_id: integer().notNull(),
    no: integer().notNull(),
    ws: integer().notNull(),
    /** A provisional id if an item in the set creates the task. */
    task: integer().notNull(),
    operation: text({ enum: ['create', 'edit'] }).notNull(),
    /** The task version that the item was staged for. Null if the task is new. */
    version: integer(),
    /** New values by column, as JSON. A fingerprint replaces the description. */
    changes: text().notNull(),
    /** The stored values of these columns at the time of staging, as JSON. */
    before: text().notNull(),
    /** The new description. */
    text: text(),
    /** The text in the form of `tasks.description_key`, for searches. */
    text_key: text(),
    result: text({ enum: ['applied', 'conflict', 'rejected'] }),
    /** The reason why the item wasn't applied. */
    problem: text(),
    /** The id of the task that the item created. */
    made: integer(),
  },
  (table) => [primaryKey({ columns: [table.set_id, table.no] })],
);
