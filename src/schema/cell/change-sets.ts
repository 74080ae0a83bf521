import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Changes that an app has prepared for review by the person who authorized it (docs/adr/0049). */
export const changeSets = sqliteTable(
  'change_sets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    member: integer().notNull(),
    /**
     * The OAuth client. A set belongs to the app rather than to a token, because the app can get a new token while the
     * set is open.
     */
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
    /** The task to change, or a provisional id if an item in the set creates the task. */
    task: integer().notNull(),
    operation: text({ enum: ['create', 'edit', 'comment', 'time'] }).notNull(),
    /** The task's version when the item was staged. Null for a new task. */
    version: integer(),
    /** A JSON object of the new values by column, with a fingerprint instead of the description. */
    changes: text().notNull(),
    /** A JSON object of the values that the columns in `changes` had when the item was staged. */
    before: text().notNull(),
    /** The new description, or the comment. */
    text: text(),
    /** The text in the form in which `tasks.description_key` or `comments.content_key` stores it for searches. */
    text_key: text(),
    result: text({ enum: ['applied', 'conflict', 'rejected'] }),
    problem: text(),
    /** The id of the task that the item created. */
    made: integer(),
  },
  (table) => [primaryKey({ columns: [table.set_id, table.no] })],
);
