import { sql } from 'drizzle-orm';
import { index, integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A workspace's event log in commit order. `seq` has no gaps. */
export const events = sqliteTable(
  'events',
  {
    ws: integer().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    /** The project whose members can see the event; null if everyone in the workspace can. */
    project: integer(),
    task: integer(),
    /** Id of another affected resource as clients know it: a number, or a person's text id. */
    entity: numeric(),
    /** The only member who can see it, if set. */
    reader: integer(),
    actor: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system'] }).notNull(),
    /** JSON: field → `{from, to}`, or `{}` for long text whose values aren't recorded. */
    changes: text().notNull().default('{}'),
    /** How many entries it adds to the task's history. */
    entries: integer().notNull().default(0),
    /** Milliseconds. Never decreases as `seq` increases. */
    occurred_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ws, table.seq] }),
    index('events_by_task')
      .on(table.task)
      .where(sql`entries > 0 AND type NOT IN ('task.created', 'task.duplicated')`),
  ],
);
