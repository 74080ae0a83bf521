import * as z from 'zod';
import { buildPage, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { projectNotFoundError } from '../visibility/project-visibility.policy.ts';
import { FIELD_RESTORE_WINDOW_MS } from './custom-fields.policy.ts';
import {
  countDefinitions,
  type FieldDefinition,
  findProjectFields,
  listDefinitions,
  listDeletedFields,
  listProjectsWithFields,
  type ProjectFieldsRow,
} from './custom-fields.queries.ts';
import { customFieldPage, customFieldSettings, fieldChoices, projectFields } from './custom-fields.schema.ts';
import { toFieldKey } from './field-values.ts';

export const listCustomFields = defineOperation(
  {
    name: 'listCustomFields',
    summary: 'List custom fields',
    description:
      "Each project uses some of the workspace's fields. Tasks have values for their project's fields.",
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject(pageInput),
    output: customFieldPage,
  },
  async ({ db, caller }, input) => {
    const range = toRange(input, 1);
    const [rows, total, projects] = await db.batch([
      listDefinitions(caller, range),
      countDefinitions(caller),
      listProjectsWithFields(caller),
    ]);
    const projectsOf = groupProjects(projects);
    return buildPage({
      range,
      total,
      rows,
      key: ({ id }) => [id],
      show: (field) => ({ ...toField(field), projectIds: projectsOf.get(field.id) ?? [] }),
    });
  },
);

export const listFieldSettings = defineOperation(
  {
    name: 'listFieldSettings',
    summary: 'List custom fields, including fields deleted in the last 30 days',
    access: 'session',
    capability: 'manageCategories',
    effect: 'read',
    input: z.strictObject({}),
    output: customFieldSettings,
  },
  async ({ db, caller, reach, now }) => {
    const [fields, projects, deleted] = await db.batch([
      listDefinitions(caller),
      listProjectsWithFields(caller),
      listDeletedFields(caller, now - FIELD_RESTORE_WINDOW_MS),
    ]);
    const projectsOf = groupProjects(projects);
    const mayChange = reach === 'all';
    return {
      fields: fields.map((field) => ({
        ...toField(field),
        number: field.id,
        projects: projectsOf.get(field.id)?.length ?? 0,
      })),
      deleted: mayChange
        ? deleted.map(({ id, name, deleted_at }) => ({
            number: id,
            name,
            deletedAt: toTimestamp(deleted_at),
          }))
        : [],
      mayChange,
    };
  },
);

export const listFieldChoices = defineOperation(
  {
    name: 'listFieldChoices',
    summary: "List a project's custom fields, or the workspace's",
    access: 'session',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({ project: z.int().min(0).optional() }),
    output: fieldChoices,
  },
  async ({ db, caller }, { project }) => {
    const [fields, found] = await db.batch([
      listDefinitions(caller),
      ...(project === undefined ? [] : [findProjectFields(caller, project)]),
    ] as const);
    const used: readonly number[] = JSON.parse(found?.field_ids ?? '[]');
    return { data: fields.filter(({ id }) => project === undefined || used.includes(id)).map(toField) };
  },
);

export const listProjectFields = defineOperation(
  {
    name: 'listProjectFields',
    summary: "List the workspace's custom fields, and whether a project uses them",
    access: 'session',
    capability: 'manageCategories',
    effect: 'read',
    input: z.strictObject({ id: z.int().min(0) }),
    output: projectFields,
  },
  async ({ db, caller, reach }, { id }) => {
    const [project, fields] = await db.batch([findProjectFields(caller, id), listDefinitions(caller)]);
    if (!project) throw projectNotFoundError(id);
    const used: readonly number[] = JSON.parse(project.field_ids ?? '[]');
    return {
      fields: fields.map((field) => ({
        ...toField(field),
        number: field.id,
        isOn: used.includes(field.id),
      })),
      mayChange: reach === 'all',
    };
  },
);

export function toField({ id, name, type, options }: FieldDefinition) {
  return { id: toFieldKey(id), name, type, options: [...options] };
}

function groupProjects(projects: readonly ProjectFieldsRow[]): Map<number, number[]> {
  const projectsOf = new Map<number, number[]>();
  for (const { id, field_ids } of projects) {
    for (const field of JSON.parse(field_ids ?? '[]') as number[]) {
      projectsOf.set(field, [...(projectsOf.get(field) ?? []), id]);
    }
  }
  return projectsOf;
}
