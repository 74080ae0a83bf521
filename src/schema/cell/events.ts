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
    /** The public id of another affected resource: a number, or a text if the resource is a person. */
    entity: numeric(),
    /** The only member who can see the event. Null if others can, too. */
    reader: integer(),
    actor: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system'] }).notNull(),
    /** A JSON object from fields to `{from, to}`, or to `{}` for long texts, whose values aren't stored. */
    changes: text().notNull().default('{}'),
    /** The number of entries that the event adds to the task's history. */
    entries: integer().notNull().default(0),
    /** In milliseconds. Never decreases as `seq` increases. */
    occurred_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ws, table.seq] }),
    index('events_by_task')
      .on(table.task)
      .where(sql`entries > 0 AND type NOT IN ('task.created', 'task.duplicated')`),
  ],
);
