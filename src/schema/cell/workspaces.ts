import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** In the cell. */
export const workspaces = sqliteTable(
  'workspaces',
  {
    no: integer().primaryKey(),
    id: text().notNull(),
    name: text().notNull(),
    plan: text({ enum: ['free', 'medium', 'pro'] })
      .notNull()
      .default('free'),
    timezone: text().notNull().default('UTC'),
    daily_capacity_hours: real().notNull().default(8),
    /** Deadlines before this day are summed in task_counts. */
    past_cutoff: text().notNull().default('2026-01-01'),
    /** The same for the second day, the end of the week. */
    week_cutoff: text().notNull().default('2026-01-01'),
    /** The oldest event that the feed still tells. */
    events_from: integer().notNull().default(1),
    /** Every change of its name, time zone or working hours raises it. */
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
  },
  (table) => [index('workspaces_by_cutoff').on(table.past_cutoff)],
);

const memberColumns = () => ({
  no: integer().primaryKey(),
  ws: integer().notNull(),
  user_id: text().notNull(),
  role: text({ enum: ['owner', 'admin', 'lead', 'member', 'client'] }).notNull(),
  name: text().notNull(),
  email: text().notNull(),
  email_key: text().notNull(),
  image: text(),
  cells: text().notNull().default('[0]'),
  version: integer().notNull().default(1),
  created_at: integer().notNull(),
  /** Session tokens of whoever signed in before, and what they let in, count no more. */
  sessions_from: integer().notNull().default(0),
});

/** In the cell. `cells` is a JSON array: every cell that holds a workspace of this person. */
export const members = sqliteTable(
  'members',
  {
    ...memberColumns(),
    /** Null while the person is there. */
    ended_at: integer(),
    is_settled: integer().$type<0 | 1>().notNull().default(1),
  },
  (table) => [
    uniqueIndex('members_by_workspace').on(table.ws, table.user_id),
    index('members_by_user').on(table.user_id),
    index('members_by_email').on(table.ws, table.email_key),
    index('members_unsettled').on(table.no).where(sql`is_settled = 0`),
  ],
);

/** A view: those who have not left. */
export const activeMembers = sqliteTable('active_members', memberColumns());

/**
 * In the directory: which cell a workspace lives in. Its columns say their names, because Drizzle's builder remembers
 * those that are left out by the name of the table, and two tables have this one.
 */
export const placements = sqliteTable(
  'workspaces',
  {
    id: text('id').primaryKey(),
    cell: integer('cell').notNull(),
    created_at: integer('created_at').notNull(),
  },
  (table) => [index('workspaces_by_cell').on(table.cell)],
);

/** In the directory. A membership ends and is never deleted. */
export const memberships = sqliteTable(
  'memberships',
  {
    user_id: text().notNull(),
    workspace_id: text().notNull(),
    joined_at: integer().notNull(),
    ended_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.workspace_id] })],
);

/** In the directory: how many workspaces a cell holds. Triggers keep it. */
export const cellSizes = sqliteTable('cell_sizes', {
  cell: integer().primaryKey(),
  workspaces: integer().notNull(),
});

/** In the directory: cells that take no new workspace. */
export const closedCells = sqliteTable('closed_cells', { cell: integer().primaryKey() });
