import { recordEvent } from '../../events/log/record.queries.ts';
import { countDaysBetween, toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { findProjectState } from '../../projects/operations/project-changes.queries.ts';
import { findProjectColumns } from '../../projects/operations/project-columns.queries.ts';
import type { ChecklistItem } from '../../schema/cell/checklists.ts';
import { type FieldDefinition, selectTaskProjects } from '../../tasks/custom-fields/custom-fields.queries.ts';
import { findFieldContextForProjects } from '../../tasks/custom-fields/field-context.ts';
import { dropUnknownValues } from '../../tasks/custom-fields/field-values.ts';
import { excludeArchived } from '../../tasks/hierarchy/descendants.queries.ts';
import { listDescriptions } from '../../tasks/model/descriptions.queries.ts';
import { taskNotFoundError, toDeadline } from '../../tasks/model/tasks.policy.ts';
import { assertTasksUnchanged, findTaskState } from '../../tasks/model/tasks.queries.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import {
  type ProjectContent,
  serializeContent,
  TEMPLATE_RELATIONS_MAX,
  TEMPLATE_TASKS_MAX,
  type TemplateTask,
} from '../model/template-content.ts';
import { requirePermissionToSaveTemplates } from '../model/templates.policy.ts';
import {
  findNewestTemplate,
  insertTemplate,
  newestTemplate,
  type TemplateDraft,
} from '../model/templates.queries.ts';
import {
  DESCRIPTION_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  templateCreated,
  templateIdInput,
} from '../model/templates.schema.ts';
import {
  countProjectTasks,
  listProjectTasks,
  listRelationsBetween,
  listTaskTree,
  type SourceTask,
} from './save-template.queries.ts';

const DESCRIPTIONS_BYTES_MAX = 400_000;
/** The maximum number of tasks to read, including the tasks of meetings, which a template leaves out. */
const PROJECT_TASKS_READ_MAX = 2_000;

const saveSpec = {
  access: 'session',
  capability: 'saveTemplates',
  effect: 'write',
  input: templateIdInput,
  output: templateCreated,
  replay: { entity: newestTemplate, rebuild: async (_ctx: Context, _input: unknown, id: number) => ({ id }) },
} as const;

export const saveTaskTemplate = defineOperation(
  {
    ...saveSpec,
    name: 'saveTaskTemplate',
    summary: 'Save a task as a template',
    description:
      'Includes its subtasks, checklists and custom fields. Dates are stored relative to the day the task was created.',
  },
  async (ctx, { id }) => {
    const { caller, db } = ctx;
    const [task, [root, ...below], fields] = await db.batch([
      findTaskState(caller, id),
      listTaskTree(caller, id),
      findFieldContextForProjects(caller, selectTaskProjects(caller, [id])),
    ]);
    if (!task || !root) throw taskNotFoundError(id);
    requirePermissionToSaveTemplates(ctx);
    const kept = [root, ...excludeArchived([id], below)];
    const firstDay = toWallClock(root.created_at, caller.timezone).date;
    const own = fields.projects.get(task.project) ?? [];
    const content = await buildContent(ctx, kept, { firstDay, fields: own, project: null });
    return saveTemplateDraft(ctx, { kind: 'task', name: task.name, description: null, content }, [
      assertTasksUnchanged(caller, [task]),
    ]);
  },
);

export const saveProjectTemplate = defineOperation(
  {
    ...saveSpec,
    name: 'saveProjectTemplate',
    summary: 'Save a project as a template',
    description:
      'Includes its columns, custom fields and unarchived tasks, except those of meetings. Dates are stored relative to the earliest date of these tasks.',
  },
  async (ctx, { id }) => {
    const { caller, db } = ctx;
    const [project, found, searched, columns, fields] = await db.batch([
      findProjectState(caller, id),
      listProjectTasks(caller, id, PROJECT_TASKS_READ_MAX),
      countProjectTasks(caller, id, PROJECT_TASKS_READ_MAX + 1),
      findProjectColumns(caller, id),
      findFieldContextForProjects(caller, selectIdsInOrder([id])),
    ]);
    if (!project) throw projectNotFoundError(id);
    requirePermissionToSaveTemplates(ctx);
    if (found.length > TEMPLATE_TASKS_MAX) {
      throw invalidRequestError(
        `A template can have up to ${TEMPLATE_TASKS_MAX} tasks, and project ${id} has more. Archive some tasks, or save the tasks as separate templates.`,
      );
    }
    if (searched > PROJECT_TASKS_READ_MAX) {
      throw invalidRequestError(
        `A template can be saved from a project with up to ${PROJECT_TASKS_READ_MAX} tasks, including those of meetings; project ${id} has more. Archive some tasks.`,
      );
    }
    const ordered = sortParentsFirst(found.toSorted((one, other) => one.id - other.id));
    const days = ordered.flatMap(({ start_date, due }) =>
      [start_date, toDeadline(due)].filter((day) => day !== null),
    );
    const own = fields.projects.get(id) ?? [];
    const content = await buildContent(ctx, ordered, {
      firstDay: days.toSorted()[0] ?? '',
      fields: own,
      project: { columns: columns?.task_columns ?? null, fields: own.map((field) => field.id) },
    });
    const description = project.description?.slice(0, DESCRIPTION_CHARACTERS_MAX).toWellFormed() || null;
    return saveTemplateDraft(ctx, { kind: 'project', name: project.name, description, content });
  },
);

async function saveTemplateDraft(
  ctx: Context,
  draft: Omit<TemplateDraft, 'project'>,
  claims: ReturnType<typeof assertTasksUnchanged>[] = [],
) {
  const { caller, db, now } = ctx;
  const name = draft.name.slice(0, NAME_CHARACTERS_MAX).toWellFormed();
  const [created] = await db.writeThenRead(
    [
      ...claims,
      ...insertTemplate(caller, { ...draft, name, project: null }, now),
      recordEvent(ctx, { type: 'template.created', entity: newestTemplate }),
    ],
    [findNewestTemplate(caller)],
  );
  return created;
}

/** A task whose parent isn't in `found`, for example because the parent is archived, counts as a top-level task. */
function sortParentsFirst(found: readonly SourceTask[]): SourceTask[] {
  const ids = new Set(found.map(({ id }) => id));
  const byParent = Map.groupBy(found, ({ parent }) => (parent !== null && ids.has(parent) ? parent : null));
  const ordered = [...(byParent.get(null) ?? [])];
  for (const { id } of ordered) ordered.push(...(byParent.get(id) ?? []));
  return ordered;
}

interface ContentOptions {
  firstDay: string;
  fields: readonly FieldDefinition[];
  project: ProjectContent | null;
}

async function buildContent(
  ctx: Context,
  found: readonly SourceTask[],
  { firstDay, fields, project }: ContentOptions,
): Promise<string> {
  const { caller, db } = ctx;
  const described = found.filter(({ bytes }) => bytes > 0);
  const bytes = described.reduce((sum, task) => sum + task.bytes, 0);
  if (bytes > DESCRIPTIONS_BYTES_MAX) {
    throw invalidRequestError(
      `The descriptions of a template can be up to ${formatNumber(DESCRIPTIONS_BYTES_MAX)} bytes in total; these are ${formatNumber(bytes)} bytes. Shorten some.`,
    );
  }
  const ids = found.map(({ id }) => id);
  const [related, texts = []] = await db.batch([
    listRelationsBetween(caller, ids, TEMPLATE_RELATIONS_MAX + 1),
    ...(described.length > 0
      ? [
          listDescriptions(
            caller.workspace,
            described.map(({ id }) => id),
          ),
        ]
      : []),
  ]);
  const textOf = new Map(texts.map(({ id, description }) => [id, description]));
  const numbers = new Map(found.map(({ id }, index) => [id, index + 1]));
  const toDay = (date: string | null) => (date === null ? null : countDaysBetween(firstDay, date));
  const tasks = found.map((task): TemplateTask => {
    const { name, priority, tags, estimated_hours, category, type, due_time } = task;
    const lines: readonly ChecklistItem[] = JSON.parse(task.lines ?? '[]');
    return {
      ...{ name, priority, tags, estimated_hours, category, type, due_time },
      id: numbers.get(task.id) ?? 0,
      parent: numbers.get(task.parent ?? 0) ?? null,
      description: textOf.get(task.id) ?? null,
      field_values: dropUnknownValues(task.field_values, fields),
      start_day: toDay(task.start_date),
      due_day: toDay(toDeadline(task.due)),
      checklist: lines.map(({ text }) => text),
    };
  });
  const relations = related.map(({ type, source, target }) => ({
    type,
    source: numbers.get(source) ?? 0,
    target: numbers.get(target) ?? 0,
  }));
  return serializeContent({ tasks, nextTask: tasks.length + 1, relations, project });
}
