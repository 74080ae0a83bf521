import { sql } from 'drizzle-orm';
import { index, integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The event logs, in commit order. In each workspace, `seq` has no gaps. */
export const events = sqliteTable(
  'events',
  {
    ws: integer().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    /** Only people who can see this project can see the event. Null if everyone in the workspace can. */
    project: integer(),
    task: integer(),
    /** The public id of another affected item: a number, or text for a person. */
    entity: numeric(),
    /** The only member who can see the event. Null if others can see it, too. */
    reader: integer(),
    actor: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system'] }).notNull(),
    /** A JSON object that maps each field to `{from, to}`, or to `{}` for a long text, whose values aren't stored. */
    changes: text().notNull().default('{}'),
    entries: integer().notNull().default(0),
    /** In milliseconds. A higher `seq` never has an earlier time. */
    occurred_at: integer().notNull(),
    /** The API key or token of the app that made the change. Null if a person or the service made it. */
    credential: integer(),
    /** The credential whose change the event undoes (docs/adr/0050). */
    undo_of: integer(),
    /**
     * A JSON object of the values that an app's change replaced, if `changes` doesn't contain them. Kept for 30 days.
     */
    replaced: text(),
  },
  (table) => [
    primaryKey({ columns: [table.ws, table.seq] }),
    index('events_by_task')
      .on(table.task)
      .where(sql`entries > 0 AND type NOT IN ('task.created', 'task.duplicated')`),
    index('events_by_credential').on(table.credential).where(sql`credential IS NOT NULL`),
  ],
);
