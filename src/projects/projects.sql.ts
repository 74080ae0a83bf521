import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const projects = sqliteTable('projects', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  name: text('name').notNull(),
  description: text('description'),
  status: text('status').notNull().default('active'),
  owner: integer('owner').notNull(),
  created_at: integer('created_at').notNull(),
  /** Every change of its name, description, status or owner raises it. */
  version: integer('version').notNull().default(1),
});

export const projectMembers = sqliteTable(
  'project_members',
  { project: integer('project').notNull(), member: integer('member').notNull() },
  (table) => [primaryKey({ columns: [table.project, table.member] })],
);
