import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How far a job that goes through everything in pages has come. */
export const jobPositions = sqliteTable('job_positions', {
  name: text().primaryKey(),
  position: text().notNull(),
});
