import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const buildStatusColumns = () => ({
  id: integer().primaryKey(),
  value: text().notNull(),
  label: text().notNull(),
  color: text().notNull(),
  position: integer().notNull(),
  is_active: integer().$type<0 | 1>().notNull().default(1),
});

export const taskStatusRows = sqliteTable('task_statuses', buildStatusColumns());
export const projectStatusRows = sqliteTable('project_statuses', buildStatusColumns());

/** Kinds of work in a workspace, such as Design. */
export const taskCategories = sqliteTable('task_categories', {
  id: integer().primaryKey(),
  ws: integer().notNull(),
  key: text().notNull(),
  value: text().notNull(),
  default_estimated_hours: real(),
  is_active: integer().$type<0 | 1>().notNull().default(1),
});

/** Kinds of work within a category, such as Wireframe. */
export const taskTypes = sqliteTable('task_types', {
  id: integer().primaryKey(),
  ws: integer().notNull(),
  category: integer().notNull(),
  key: text().notNull(),
  value: text().notNull(),
  default_estimated_hours: real(),
  is_active: integer().$type<0 | 1>().notNull().default(1),
});

export const teams = sqliteTable(
  'teams',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    name: text().notNull(),
    parent: integer(),
  },
  (table) => [index('teams_by_workspace').on(table.ws), index('teams_by_parent').on(table.parent)],
);

export const teamMembers = sqliteTable(
  'team_members',
  {
    team: integer().notNull(),
    member: integer().notNull(),
    role: text({ enum: ['lead', 'member'] })
      .notNull()
      .default('member'),
  },
  (table) => [
    primaryKey({ columns: [table.team, table.member] }),
    index('team_members_by_member').on(table.member, table.team),
  ],
);
