import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who have left the workspace but still have open tasks. */
export const departures = sqliteTable('departures', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** The member who takes over the tasks. If 0, the tasks become unassigned. */
  heir: integer().notNull(),
  actor: integer().notNull(),
  created_at: integer().notNull(),
});

/** Members whose accounts have been deleted. */
export const forgottenMembers = sqliteTable('forgotten_members', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** The member's name has been removed from events up to this `seq`. */
  position: integer().notNull().default(0),
});
