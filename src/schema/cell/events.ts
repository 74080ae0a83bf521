import { sql } from 'drizzle-orm';
import { index, integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The event log of each workspace, in commit order. Within a workspace, `seq` has no gaps. */
export const events = sqliteTable(
  'events',
  {
    ws: integer().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    /**
     * Usually, people can see the event if they can see this project or the task, or if `project` is null
     * (`isEventVisible` has the exceptions).
     */
    project: integer(),
    task: integer(),
    /** The public id of an affected item other than the task: a number, or text for a person. */
    entity: numeric(),
    /** The only member who can see the event. Null if it isn't limited to one member. */
    reader: integer(),
    actor: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system', 'form'] }).notNull(),
    /** A JSON object that maps each field to `{from, to}`, or to `{}` if the values are too long to store. */
    changes: text().notNull().default('{}'),
    entries: integer().notNull().default(0),
    /** In milliseconds. The time never decreases from one `seq` to the next. */
    occurred_at: integer().notNull(),
    /** The id of the API key or token that was used. Null for changes made in a session or by Edgework itself. */
    credential: integer(),
    /** The id of the credential whose change this event undoes (docs/adr/0050). */
    undo_of: integer(),
    /**
     * A JSON object of the values that an app's change replaced, if they aren't in `changes`. Deleted after 30 days.
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
