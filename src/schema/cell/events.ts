import { sql } from 'drizzle-orm';
import { index, integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What happened in a workspace, in the order of the commits: `seq` has no gap. */
export const events = sqliteTable(
  'events',
  {
    ws: integer().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    /** The project that decides who sees it; null where everyone of the workspace does. */
    project: integer(),
    task: integer(),
    /** Id of what it is about besides, as clients know it: a number, or the text of a person. */
    entity: numeric(),
    /** Number of the membership that alone sees it. */
    reader: integer(),
    /** Number of the membership that did it. */
    actor: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system'] }).notNull(),
    /** JSON: field → `{from, to}`; `{}` for a text that is not told. */
    changes: text().notNull().default('{}'),
    /** How many entries it makes in the history of its task. */
    entries: integer().notNull().default(0),
    /** Milliseconds; never falls as `seq` rises. */
    occurred_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ws, table.seq] }),
    index('events_by_task')
      .on(table.task)
      .where(sql`entries > 0 AND type NOT IN ('task.created', 'task.duplicated')`),
  ],
);
