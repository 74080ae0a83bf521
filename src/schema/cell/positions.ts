import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The progress of jobs that go through a table in pages. */
export const jobPositions = sqliteTable('job_positions', {
  name: text().primaryKey(),
  position: text().notNull(),
});
