import { recordEvent } from '../../events/log/record.queries.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { type FieldDefinition, listDefinitions } from '../../tasks/custom-fields/custom-fields.queries.ts';
import { parseStoredValues, toFieldText, toVisibleValue } from '../../tasks/custom-fields/field-values.ts';
import { taskPriorities } from '../../tasks/fields.ts';
import { toRelationType } from '../../tasks/relations/relations.policy.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { parseContent, type TemplateContent, type TemplateTask } from '../model/template-content.ts';
import {
  mayChangeTemplate,
  requireEditableTemplate,
  templateNotFoundError,
} from '../model/templates.policy.ts';
import {
  assertTemplateUnchanged,
  countTemplates,
  deleteTemplate as deleteTemplateRow,
  findTemplate,
  findVisibleProject,
  type ListedTemplate,
  listTemplates as selectTemplates,
  type TemplateChanges,
  type TemplateRow,
  updateTemplate as updateTemplateRow,
} from '../model/templates.queries.ts';
import {
  templateDetail,
  templateIdInput,
  templateListInput,
  templatePage,
  templateUpdateInput,
} from '../model/templates.schema.ts';

export const listTemplates = defineOperation(
  {
    name: 'listTemplates',
    summary: 'List task and project templates, oldest first',
    description:
      'People save and change templates in the app. `POST /tasks` creates tasks from task templates.',
    access: 'projects:read',
    capability: 'seeProjects',
    effect: 'read',
    input: templateListInput,
    output: templatePage,
  },
  async ({ db, caller }, { kind, ...input }) => {
    const range = toRange(input, 1);
    const [rows, total] = await db.batch([
      selectTemplates(caller, kind, range),
      countTemplates(caller, kind),
    ]);
    return buildPage({ range, total, rows, key: ({ id }) => [id], show: toTemplate });
  },
);

export const getTemplate = defineOperation(
  {
    name: 'getTemplate',
    summary: 'Get a template with its tasks',
    access: 'session',
    capability: 'saveTemplates',
    effect: 'read',
    input: templateIdInput,
    output: templateDetail,
  },
  async (ctx, { id }) => {
    const { caller, db } = ctx;
    const [found, definitions] = await db.batch([findTemplate(caller, id), listDefinitions(caller)]);
    if (!found) throw templateNotFoundError(id);
    const content = parseContent(found.content);
    return {
      ...toTemplate(found),
      tasks: content.tasks.map((task) => ({
        ...toTemplateTask(task),
        fields: toNamedFields(task, definitions),
        relations: toNamedRelations(task, content),
      })),
      mayChange: mayChangeTemplate(ctx, found),
    };
  },
);

export const updateTemplate = defineOperation(
  {
    name: 'updateTemplate',
    summary: "Change a template's name, description or project",
    access: 'session',
    capability: 'saveTemplates',
    effect: 'write',
    input: templateUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, ...wanted }) => {
    const { projectId } = wanted;
    const { caller, db } = ctx;
    const [found, project] = await db.batch([
      findTemplate(caller, id),
      findVisibleProject(caller, projectId ?? 0),
    ]);
    const template = requireEditableTemplate(ctx, id, found);
    if (projectId != null && !project) throw projectNotFoundError(projectId, 'projectId');
    const current = { ...template, projectId: template.project };
    requireCurrentSnapshot(ctx.snapshot, wanted, current, { type: 'template.updated', id });
    const { name = template.name, description = template.description } = wanted;
    const changes = {
      name,
      description: description || null,
      project: projectId === undefined ? template.project : projectId,
    };
    await writeTemplateChanges(ctx, template, changes);
    return { success: true as const };
  },
);

export const deleteTemplate = defineOperation(
  {
    name: 'deleteTemplate',
    summary: 'Delete a template',
    description: 'Tasks and projects created from it are kept.',
    access: 'session',
    capability: 'saveTemplates',
    effect: 'write',
    input: templateIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const template = await readEditableTemplate(ctx, id);
    await ctx.db.batch([
      assertTemplateUnchanged(ctx.caller, template),
      deleteTemplateRow(ctx.caller, id),
      recordEvent(ctx, { type: 'template.deleted', entity: id, ...toEventProjectFields(template.project) }),
    ]);
    return { success: true as const };
  },
);

export async function readEditableTemplate(ctx: Context, id: number): Promise<TemplateRow> {
  const [found] = await ctx.db.batch([findTemplate(ctx.caller, id)]);
  return requireEditableTemplate(ctx, id, found);
}

/**
 * The event doesn't contain the template's name, because people with the client role can see the workspace's events but
 * not all templates.
 */
export async function writeTemplateChanges(ctx: Context, template: TemplateRow, wanted: TemplateChanges) {
  const columns = Object.keys(wanted) as (keyof TemplateChanges)[];
  const changed = columns.filter((column) => wanted[column] !== template[column]);
  if (changed.length === 0) return;
  const changes = Object.fromEntries(changed.map((column) => [column, wanted[column]]));
  await ctx.db.batch([
    assertTemplateUnchanged(ctx.caller, template),
    updateTemplateRow(ctx.caller, template.id, changes),
    recordEvent(ctx, {
      type: 'template.updated',
      entity: template.id,
      changes: Object.fromEntries(changed.map((column) => [eventFields[column], null])),
      ...toEventProjectFields(wanted.project === undefined ? template.project : wanted.project),
    }),
  ]);
}

const eventFields = {
  name: 'name',
  description: 'description',
  project: 'projectId',
  content: 'tasks',
} as const satisfies Record<keyof TemplateChanges, string>;

const toEventProjectFields = (project: number | null) => (project === null ? {} : { project });

function toTemplate({ id, kind, name, description, project }: ListedTemplate) {
  return { id, kind, name, description, projectId: project };
}

export function toTemplateTask(task: TemplateTask) {
  return {
    id: task.id,
    parentId: task.parent,
    name: task.name,
    description: task.description,
    priority: taskPriorities[task.priority] ?? ('medium' as const),
    tags: JSON.parse(task.tags) as string[],
    startDay: task.start_day,
    dueDay: task.due_day,
    customEstimatedHours: task.estimated_hours,
    checklist: [...task.checklist],
  };
}

function toNamedFields({ field_values }: TemplateTask, definitions: readonly FieldDefinition[]) {
  const stored = parseStoredValues(field_values);
  return definitions.flatMap((field) => {
    const value = toVisibleValue(field, stored);
    return value === null ? [] : [{ name: field.name, text: toFieldText(field, value, () => undefined) }];
  });
}

function toNamedRelations({ id }: TemplateTask, { tasks, relations }: TemplateContent) {
  const getName = (other: number) => tasks.find((task) => task.id === other)?.name ?? '';
  return relations.flatMap(({ type, source, target }) => {
    if (source === id) return [{ type: toRelationType(type, 'source'), name: getName(target) }];
    return target === id ? [{ type: toRelationType(type, 'target'), name: getName(source) }] : [];
  });
}
