import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The value of `due` in tasks without a deadline. It sorts after every date. */
export const NO_DEADLINE = '9999-99-99';

export const tasks = sqliteTable(
  'tasks',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer().notNull(),
    /** The first assignee's member number, or 0 if the task is unassigned. */
    assignee: integer().notNull().default(0),
    status: integer().notNull().default(0),
    priority: integer().notNull().default(1),
    archived: integer().notNull().default(0),
    bucket: integer().generatedAlwaysAs(sql`archived * 15 + status * 3 + priority`, { mode: 'virtual' }),
    name: text().notNull(),
    description: text(),
    tags: text().notNull().default('[]'),
    start_date: text(),
    due: text().notNull().default(NO_DEADLINE),
    due_time: text(),
    scheduled_time: text(),
    duration_minutes: integer(),
    category: integer(),
    type: integer(),
    estimated_hours: text(),
    /** In hundredths of an hour: the estimate, otherwise the default of the type or category, otherwise one hour. */
    hours: integer().notNull().default(100),
    comment_count: integer().notNull().default(0),
    activity_count: integer().notNull().default(0),
    created_by: integer().notNull(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    /** The `seq` of the event that created the task. */
    first_event: integer(),
    version: integer().notNull().default(1),
    /** A JSON array of the followers' member numbers, in ascending order. The `followers` table has a row for each. */
    followers: text().notNull().default('[]'),
    name_key: text().notNull().default(''),
    /** The completion date in the workspace's time zone. Null if the task isn't completed. */
    completed_on: text(),
    archived_status: integer().generatedAlwaysAs(sql`archived * 5 + status`, { mode: 'virtual' }),
    description_key: text().notNull().default(''),
    /**
     * The id of the description in `long_texts` if it is long, otherwise null. If set, both description columns are
     * empty.
     */
    long_text: integer(),
    checklist_total: integer().notNull().default(0),
    checklist_done: integer().notNull().default(0),
    parent: integer(),
    /** The position among the parent's subtasks. 0 without a parent. */
    parent_place: integer().notNull().default(0),
    /** The number of direct subtasks that aren't archived. */
    subtask_count: integer().notNull().default(0),
    subtasks_completed: integer().notNull().default(0),
    /** The ancestor that this task was archived with. Restoring that ancestor also restores this task. */
    archived_with: integer(),
    /** A JSON array of the tags in lower case, in the same order. */
    label_keys: text().notNull().default('[]'),
    /** The recurrence mode: 1 for `schedule`, 2 for `completion`, and 0 without a recurrence. */
    repeats: integer().notNull().default(0),
    open_blockers: integer().notNull().default(0),
    /** 1 if anyone has ever set a reminder on the task. */
    has_reminders: integer().notNull().default(0),
    /**
     * A JSON object of custom field values by `cf_<id>`, or null if there are none. It can include hidden values, whose
     * field was deleted or isn't used in the project.
     */
    field_values: text(),
    /**
     * A JSON array of the member numbers of all assignees except the first, in order. The `other_assignees` table has a
     * row for each.
     */
    other_assignees: text().notNull().default('[]'),
  },
  (table) => [
    index('tasks_by_workspace').on(table.ws, table.bucket),
    index('tasks_by_project').on(table.project, table.bucket),
    index('tasks_by_assignee').on(table.assignee, table.bucket),
    index('tasks_by_project_assignee').on(table.project, table.assignee, table.bucket),
    index('tasks_by_due').on(table.ws, table.archived_status, table.due),
    index('tasks_by_project_due').on(table.project, table.archived_status, table.due),
    index('tasks_by_assignee_due').on(
      table.assignee,
      table.archived_status,
      table.due,
      table.id,
      table.project,
    ),
    index('tasks_unassigned').on(table.ws, table.bucket).where(sql`assignee = 0`),
    index('tasks_unassigned_due').on(table.ws, table.archived_status, table.due).where(sql`assignee = 0`),
    index('tasks_by_change').on(
      table.project,
      table.updated_at,
      table.id,
      table.bucket,
      table.assignee,
      table.due,
    ),
    index('tasks_by_name').on(table.ws, table.archived, table.name_key, table.project, table.assignee),
    index('tasks_tagged')
      .on(
        table.ws,
        table.project,
        table.bucket,
        table.assignee,
        table.due,
        table.updated_at,
        table.label_keys,
      )
      .where(sql`label_keys <> '[]'`),
    index('tasks_scheduled').on(table.assignee, table.due).where(sql`scheduled_time IS NOT NULL`),
    index('tasks_by_category').on(table.category).where(sql`category IS NOT NULL`),
    index('tasks_by_long_text').on(table.long_text).where(sql`long_text IS NOT NULL`),
    index('tasks_by_parent').on(table.parent, table.parent_place).where(sql`parent IS NOT NULL`),
    index('tasks_with_field_values').on(table.project, table.bucket).where(sql`field_values IS NOT NULL`),
    index('tasks_archived_with').on(table.archived_with).where(sql`archived_with IS NOT NULL`),
    index('tasks_blocked')
      .on(table.ws, table.project, table.bucket, table.assignee)
      .where(sql`open_blockers > 0`),
  ],
);

/**
 * A task's assignees other than the first, with copies of the task's values, so that an index can find each person's
 * tasks (docs/adr/0057). The columns have the same names as in `tasks`, so that one query can read either table.
 */
export const otherAssignees = sqliteTable(
  'other_assignees',
  {
    id: integer().notNull(),
    ws: integer().notNull(),
    project: integer().notNull(),
    assignee: integer().notNull(),
    first_assignee: integer().notNull(),
    status: integer().notNull(),
    priority: integer().notNull(),
    archived: integer().notNull(),
    due: text().notNull(),
    parent: integer(),
    bucket: integer().generatedAlwaysAs(sql`archived * 15 + status * 3 + priority`, { mode: 'virtual' }),
    archived_status: integer().generatedAlwaysAs(sql`archived * 5 + status`, { mode: 'virtual' }),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.assignee] }),
    index('other_assignees_by_bucket').on(table.assignee, table.bucket, table.id),
    index('other_assignees_by_project').on(table.project, table.assignee, table.bucket, table.id),
    index('other_assignees_by_due').on(
      table.assignee,
      table.archived_status,
      table.due,
      table.id,
      table.project,
    ),
  ],
);

/** Long descriptions (docs/adr/0011). Tasks that get the same text in the same batch share a row. */
export const longTexts = sqliteTable('long_texts', {
  id: integer().primaryKey(),
  ws: integer().notNull(),
  description_key: text().notNull(),
  description: text().notNull(),
});

export const followers = sqliteTable(
  'followers',
  {
    member: integer().notNull(),
    project: integer().notNull(),
    task: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.member, table.project, table.task] })],
);

/** The manual order of the cards in each column (docs/adr/0031). */
export const cardPositions = sqliteTable(
  'card_places',
  {
    task: integer().notNull(),
    ws: integer().notNull(),
    project: integer().notNull(),
    /** The row applies only while the task has this status. */
    status: integer().notNull(),
    /** The task around which the card is placed. `place` sorts the cards with the same anchor. */
    anchor: integer().notNull(),
    /** Positive above the anchor, and negative below it. */
    place: integer().notNull(),
    moved_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.task, table.status] }),
    index('card_places_by_column').on(
      table.ws,
      table.project,
      table.status,
      table.anchor,
      table.place,
      table.moved_at,
    ),
  ],
);
