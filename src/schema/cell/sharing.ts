import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Public links to a project or a saved filter. Exactly one of `project` and `filter` is set. */
export const publicLinks = sqliteTable(
  'public_links',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer(),
    filter: integer(),
    hash: text().notNull(),
    /** The link's secret is derived from this nonce and a key that isn't in the database. */
    nonce: text().notNull(),
    shows_names: integer().$type<0 | 1>().notNull().default(0),
    /** The last day on which the link works, in the workspace's time zone. */
    expires_on: text(),
    creator: integer().notNull(),
    created_at: integer().notNull(),
    last_used_at: integer(),
    version: integer().notNull().default(1),
    /**
     * What the filter matched when the link was created, as JSON. People who may change the filter may not be allowed to
     * publish it.
     */
    published_filter: text(),
  },
  (table) => [
    index('public_links_by_project').on(table.project).where(sql`project IS NOT NULL`),
    index('public_links_by_filter').on(table.filter).where(sql`filter IS NOT NULL`),
  ],
);

export const intakeForms = sqliteTable('intake_forms', {
  project: integer().primaryKey(),
  ws: integer().notNull(),
  hash: text().notNull(),
  nonce: text().notNull(),
  greeting: text(),
  tag: text(),
  assignee: integer(),
  creator: integer().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer(),
  /** `sent` is the number of tasks that the form created on this day, in the workspace's time zone. */
  sent_on: text(),
  sent: integer().notNull().default(0),
  version: integer().notNull().default(1),
});
