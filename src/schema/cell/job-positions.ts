import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const jobPositions = sqliteTable('job_positions', {
  name: text().primaryKey(),
  position: text().notNull(),
});
