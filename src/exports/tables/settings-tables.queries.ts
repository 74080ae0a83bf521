import { isAfter } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { labelCounts, labels } from '../../schema/cell/labels.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { templates } from '../../schema/cell/templates.ts';
import { ROWS_MAX } from './limits.queries.ts';
import { defineTable, type Lookups, toUserId } from './table.ts';

const c = aliasTable(taskCategories, 'c');
const f = aliasTable(customFields, 'f');
const k = aliasTable(labelCounts, 'k');
const l = aliasTable(labels, 'l');
const s = aliasTable(savedFilters, 's');
const t = aliasTable(templates, 't');
const y = aliasTable(taskTypes, 'y');

/** The content of a template can have 500,000 characters. */
const TEMPLATES_PER_PAGE = 5;

const categoryColumns = selectColumns({
  id: c.id,
  key: c.key,
  value: c.value,
  hours: c.default_estimated_hours,
  is_active: c.is_active,
});

export const categoriesTable = defineTable({
  name: 'categories',
  description: 'Task categories.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${categoryColumns} FROM ${c} WHERE ${c.ws} = ${ws} AND ${isAfter({ after }, [{ column: c.key }])}
      ORDER BY ${c.key} LIMIT ${ROWS_MAX}`),
  key: ({ key }) => [key],
  show: ({ id, key, value, hours, is_active }) => ({
    ...{ id, key, value },
    defaultEstimatedHours: hours,
    isActive: is_active === 1,
  }),
});

const typeColumns = selectColumns({
  id: y.id,
  category: y.category,
  key: y.key,
  value: y.value,
  hours: y.default_estimated_hours,
  is_active: y.is_active,
});

export const typesTable = defineTable({
  name: 'types',
  description: 'Task types. Each belongs to a category.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${typeColumns} FROM ${y}
      WHERE ${y.ws} = ${ws} AND ${isAfter({ after }, [{ column: y.category }, { column: y.key }])}
      ORDER BY ${y.category}, ${y.key} LIMIT ${ROWS_MAX}`),
  key: ({ category, key }) => [category, key],
  show: ({ id, category, key, value, hours, is_active }) => ({
    ...{ id, key, value },
    categoryId: category,
    defaultEstimatedHours: hours,
    isActive: is_active === 1,
  }),
});

const labelColumns = selectColumns({
  key: l.label_key,
  name: withType<string | null>(sql`(
    SELECT ${k.name} FROM ${k} WHERE ${k.ws} = ${l.ws} AND ${k.project} = 0 AND ${k.label_key} = ${l.label_key})`),
  color: l.color,
  description: l.description,
});

export const labelsTable = defineTable({
  name: 'labels',
  description: 'The colors and descriptions of tags. Tags without either are only in `tasks.jsonl`.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${labelColumns} FROM ${l} WHERE ${l.ws} = ${ws} AND ${isAfter({ after }, [{ column: l.label_key }])}
      ORDER BY ${l.label_key} LIMIT ${ROWS_MAX}`),
  key: ({ key }) => [key],
  show: ({ key, name, color, description }) => ({ name: name ?? key, color, description }),
});

const fieldColumns = selectColumns({ id: f.id, name: f.name, type: f.type, options: f.options });

export const customFieldsTable = defineTable({
  name: 'custom-fields',
  description: 'Custom fields. `customFields` in `tasks.jsonl` contains their values by `id`.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${fieldColumns} FROM ${f} INDEXED BY custom_fields_by_workspace
      WHERE ${f.ws} = ${ws} AND ${f.deleted_at} IS NULL AND ${isAfter({ after }, [{ column: f.id }])}
      ORDER BY ${f.id} LIMIT ${ROWS_MAX}`),
  key: ({ id }) => [id],
  show: ({ id, name, type, options }) => ({ id: `cf_${id}`, name, type, options: JSON.parse(options) }),
});

const filterColumns = selectColumns({
  id: s.id,
  member: s.member,
  name: s.name,
  filter: s.filter,
  created_at: s.created_at,
});

const keyFilter = ({ id }: Row<typeof filterColumns>) => [id];
const showFilter = (
  { id, member, name, filter, created_at }: Row<typeof filterColumns>,
  lookups: Lookups,
) => ({
  ...{ id, name },
  createdById: toUserId(lookups, member),
  createdAt: toTimestamp(created_at),
  filter: JSON.parse(filter),
});

export const savedFiltersTable = defineTable({
  name: 'saved-filters',
  description: 'Saved filters that are shared with the workspace. Private filters are left out.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${filterColumns} FROM ${s} INDEXED BY saved_filters_shared
      WHERE ${s.ws} = ${ws} AND ${s.is_shared} = 1 AND ${isAfter({ after }, [{ column: s.id }])}
      ORDER BY ${s.id} LIMIT ${ROWS_MAX}`),
  key: keyFilter,
  show: showFilter,
});

export const ownFiltersTable = defineTable({
  name: 'saved-filters',
  description: 'Saved filters, private ones too.',
  read: ({ ws, member, after }) =>
    readRows(sql`
      SELECT ${filterColumns} FROM ${s} INDEXED BY saved_filters_by_member
      WHERE ${s.member} = ${member} AND ${s.ws} = ${ws} AND ${isAfter({ after }, [{ column: s.id }])}
      ORDER BY ${s.id} LIMIT ${ROWS_MAX}`),
  key: keyFilter,
  show: showFilter,
});

const templateColumns = selectColumns({
  id: t.id,
  kind: t.kind,
  name: t.name,
  description: t.description,
  project: t.project,
  content: t.content,
  creator: t.creator,
  created_at: t.created_at,
});

export const templatesTable = defineTable({
  name: 'templates',
  description: 'Templates of tasks and projects.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${templateColumns} FROM ${t} INDEXED BY templates_by_workspace
      WHERE ${t.ws} = ${ws} AND ${isAfter({ after }, [{ column: t.kind }, { column: t.id }])}
      ORDER BY ${t.kind}, ${t.id} LIMIT ${TEMPLATES_PER_PAGE}`),
  key: ({ kind, id }) => [kind, id],
  show: ({ id, kind, name, description, project, content, creator, created_at }, lookups) => ({
    ...{ id, kind, name, description },
    projectId: project,
    createdById: toUserId(lookups, creator),
    createdAt: toTimestamp(created_at),
    content: JSON.parse(content),
  }),
  isOwn: ({ creator }, member) => creator === member,
});
