import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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
    /** `task_counts` counts the tasks due before this day, and adds up their hours. */
    past_cutoff: text().notNull().default('2026-01-01'),
    /** `task_counts` also counts the tasks due before this day, the Monday after the current week. */
    week_cutoff: text().notNull().default('2026-01-01'),
    /** The `seq` of the oldest event that the feed still returns. */
    events_from: integer().notNull().default(1),
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
  },
  (table) => [index('workspaces_by_cutoff').on(table.past_cutoff)],
);

const buildMemberColumns = () => ({
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
  /** Session tokens from sign-ins before this time are invalid, and so is any access granted with them. */
  sessions_from: integer().notNull().default(0),
});

/** `cells` is a JSON array of the cells that contain the person's workspaces. */
export const members = sqliteTable(
  'members',
  {
    ...buildMemberColumns(),
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

export const activeMembers = sqliteTable('active_members', buildMemberColumns());

/**
 * Stored in the directory. The columns need explicit names, because Drizzle would otherwise confuse them with the
 * columns of the cell's `workspaces` table.
 */
export const workspacePlacements = sqliteTable(
  'workspaces',
  {
    id: text('id').primaryKey(),
    cell: integer('cell').notNull(),
    created_at: integer('created_at').notNull(),
  },
  (table) => [index('workspaces_by_cell').on(table.cell)],
);

/** Stored in the directory. A membership can end, but is never deleted. */
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

/** Stored in the directory. Triggers keep each cell's number of workspaces up to date. */
export const cellSizes = sqliteTable('cell_sizes', {
  cell: integer().primaryKey(),
  workspaces: integer().notNull(),
});

/** Stored in the directory. Cells that accept no new workspaces. */
export const closedCells = sqliteTable('closed_cells', { cell: integer().primaryKey() });

/** Stored in the directory. Each cell's size and activity, as its `DatabaseKeeper` last measured them. */
export const cellUsage = sqliteTable('cell_usage', {
  cell: integer().primaryKey(),
  bytes: integer().notNull(),
  changes: integer().notNull(),
  measured_at: integer().notNull(),
});
