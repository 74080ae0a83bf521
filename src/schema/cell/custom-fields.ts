import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const customFieldTypes = [
  'text',
  'number',
  'date',
  'select',
  'multi_select',
  'person',
  'url',
  'checkbox',
] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

export const optionColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet'] as const;

export interface FieldOption {
  readonly id: number;
  readonly name: string;
  readonly color: (typeof optionColors)[number];
}

/** `projects.field_ids` lists the fields that a project uses. `tasks.field_values` contains their values. */
export const customFields = sqliteTable(
  'custom_fields',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    name: text().notNull(),
    type: text({ enum: customFieldTypes }).notNull(),
    /** A JSON array of `FieldOption`, in display order. */
    options: text().notNull().default('[]'),
    /** The id of the next option. Ids are unique within a field and never reused. */
    next_option: integer().notNull().default(1),
    version: integer().notNull().default(1),
    /** Deleting a field hides its values. They are removed 30 days later. */
    deleted_at: integer(),
  },
  (table) => [
    index('custom_fields_by_workspace').on(table.ws).where(sql`deleted_at IS NULL`),
    index('custom_fields_deleted').on(table.deleted_at).where(sql`deleted_at IS NOT NULL`),
  ],
);
