import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the cell. */
export const workspaces = sqliteTable('workspaces', {
  no: integer('no').primaryKey(),
  id: text('id').notNull(),
  name: text('name').notNull(),
  plan: text('plan', { enum: ['free', 'medium', 'pro'] })
    .notNull()
    .default('free'),
  timezone: text('timezone').notNull().default('UTC'),
  daily_capacity_hours: real('daily_capacity_hours').notNull().default(8),
  /** Deadlines before this day are summed in task_counts. */
  past_cutoff: text('past_cutoff').notNull().default('2026-01-01'),
  /** The same for the second day, the end of the week. */
  week_cutoff: text('week_cutoff').notNull().default('2026-01-01'),
  /** The oldest event that the feed tells. */
  events_from: integer('events_from').notNull().default(1),
  created_at: integer('created_at').notNull(),
  /** Every change of its name, time zone or working hours raises it. */
  version: integer('version').notNull().default(1),
});

/** In the cell. `cells` is a JSON array: every cell that holds a workspace of this person. */
export const members = sqliteTable('members', {
  no: integer('no').primaryKey(),
  ws: integer('ws').notNull(),
  user_id: text('user_id').notNull(),
  role: text('role', { enum: ['owner', 'admin', 'lead', 'member', 'client'] }).notNull(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  email_key: text('email_key').notNull(),
  image: text('image'),
  cells: text('cells').notNull().default('[0]'),
  version: integer('version').notNull().default(1),
  created_at: integer('created_at').notNull(),
  /** Null while the person is there. */
  ended_at: integer('ended_at'),
  is_settled: integer('is_settled').notNull().default(1),
});

/** In the directory: which cell a workspace lives in. */
export const placements = sqliteTable('workspaces', {
  id: text('id').primaryKey(),
  cell: integer('cell').notNull(),
  created_at: integer('created_at').notNull(),
});

/** In the directory. */
export const memberships = sqliteTable('memberships', {
  user_id: text('user_id').notNull(),
  workspace_id: text('workspace_id').notNull(),
  joined_at: integer('joined_at').notNull(),
  ended_at: integer('ended_at'),
});
