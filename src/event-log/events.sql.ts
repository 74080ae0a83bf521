import { index, integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What happened in a workspace, in the order of the commits: `seq` has no gap. */
export const events = sqliteTable(
  'events',
  {
    ws: integer('ws').notNull(),
    seq: integer('seq').notNull(),
    type: text('type').notNull(),
    /** The project that decides who sees it; null where everyone of the workspace does. */
    project: integer('project'),
    task: integer('task'),
    /** Id of what it is about besides, as clients know it: a number, or the text of a person. */
    entity: numeric('entity'),
    /** Number of the membership that alone sees it. */
    reader: integer('reader'),
    /** Number of the membership that did it. */
    actor: integer('actor').notNull(),
    via: text('via').notNull(),
    /** JSON: field → `{from, to}`; `{}` for a text that is not told. */
    changes: text('changes').notNull().default('{}'),
    /** How many entries it makes in the history of its task. */
    entries: integer('entries').notNull().default(0),
    /** Milliseconds; never falls as `seq` rises. */
    occurred_at: integer('occurred_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ws, table.seq] }), index('events_by_task').on(table.task)],
);
