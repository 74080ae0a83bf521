import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Stands for "no deadline" in `due`, so that such tasks sort last without a null check. */
export const NO_DEADLINE = '9999-99-99';

export const tasks = sqliteTable('tasks', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  project: integer('project').notNull(),
  /** Number of the assignee's membership, 0 when unassigned. */
  assignee: integer('assignee').notNull().default(0),
  status: integer('status').notNull().default(0),
  priority: integer('priority').notNull().default(1),
  archived: integer('archived').notNull().default(0),
  bucket: integer('bucket').generatedAlwaysAs(sql`archived * 15 + status * 3 + priority`, {
    mode: 'virtual',
  }),
  name: text('name').notNull(),
  description: text('description'),
  tags: text('tags').notNull().default('[]'),
  start_date: text('start_date'),
  due: text('due').notNull().default(NO_DEADLINE),
  scheduled_time: text('scheduled_time'),
  duration_minutes: integer('duration_minutes'),
  category: integer('category'),
  type: integer('type'),
  estimated_hours: text('estimated_hours'),
  /** Hundredths of an hour: the estimate, else the default of the type, else of the category, else one hour. */
  hours: integer('hours').notNull().default(100),
  comment_count: integer('comment_count').notNull().default(0),
  activity_count: integer('activity_count').notNull().default(0),
  created_by: integer('created_by').notNull(),
  created_at: integer('created_at').notNull(),
  updated_at: integer('updated_at').notNull(),
  /** Null as long as nothing was changed. */
  changed_at: integer('changed_at').generatedAlwaysAs(sql`nullif(updated_at, created_at)`, {
    mode: 'virtual',
  }),
  version: integer('version').notNull().default(1),
  name_key: text('name_key').notNull().default(''),
  /** Civil date in the time zone of the workspace, while the status is completed. */
  completed_on: text('completed_on'),
  archived_status: integer('archived_status').generatedAlwaysAs(sql`archived * 5 + status`, {
    mode: 'virtual',
  }),
  /** The folded text of the description. */
  description_key: text('description_key').notNull().default(''),
});

export const followers = sqliteTable(
  'followers',
  {
    member: integer('member').notNull(),
    project: integer('project').notNull(),
    task: integer('task').notNull(),
  },
  (table) => [primaryKey({ columns: [table.member, table.project, table.task] })],
);
