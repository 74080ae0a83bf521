import { invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { initialColumns, toColumnValues } from '../../tasks/field-values.ts';
import { TASK_LEVELS_MAX } from '../../tasks/hierarchy/hierarchy.queries.ts';
import {
  countTaskLevels,
  parseContent,
  serializeContent,
  type TemplateContent,
  type TemplateTask,
} from '../model/template-content.ts';
import {
  newTemplateTaskInput,
  templateTaskInput,
  templateTaskUpdateInput,
} from '../model/templates.schema.ts';
import { readEditableTemplate, toTemplateTask, writeTemplateChanges } from './templates.ts';

const editSpec = {
  access: 'session',
  capability: 'saveTemplates',
  effect: 'write',
  output: successOutput,
  replay: successReplay,
} as const;

export const addTemplateTask = defineOperation(
  { ...editSpec, name: 'addTemplateTask', summary: 'Add a task to a template', input: newTemplateTaskInput },
  async (ctx, { id, name, parentId = null }) => {
    const template = await readEditableTemplate(ctx, id);
    const before = parseContent(template.content);
    const { tasks, nextTask } = before;
    const [root] = tasks;
    const parent = parentId ?? (template.kind === 'task' ? (root?.id ?? null) : null);
    if (parent !== null) requireTemplateTask(tasks, id, parent);
    const { description, priority, tags, estimated_hours, category, type, due_time, field_values } =
      initialColumns;
    const added: TemplateTask = {
      ...{ description, priority, tags, estimated_hours, category, type, due_time, field_values },
      ...{ id: nextTask, parent, name, start_day: null, due_day: null, checklist: [] },
    };
    const all = [...tasks, added];
    if (countTaskLevels(all) > TASK_LEVELS_MAX) {
      throw invalidRequestError(
        `Tasks can be nested at most ${TASK_LEVELS_MAX} levels deep. Choose another parent.`,
        ({ field }) => field('parentId'),
      );
    }
    const content = serializeContent({ ...before, tasks: all, nextTask: nextTask + 1 });
    await writeTemplateChanges(ctx, template, { content });
    return { success: true as const };
  },
);

export const updateTemplateTask = defineOperation(
  {
    ...editSpec,
    name: 'updateTemplateTask',
    summary: 'Change a task in a template',
    input: templateTaskUpdateInput,
  },
  async (ctx, { id, itemId, ...wanted }) => {
    const template = await readEditableTemplate(ctx, id);
    const content = parseContent(template.content);
    const task = requireTemplateTask(content.tasks, id, itemId);
    const madeBy = { type: 'template.updated', id, changes: ['tasks'] };
    requireCurrentSnapshot(ctx.snapshot, wanted, toTemplateTask(task), madeBy);
    const {
      startDay = task.start_day,
      dueDay = task.due_day,
      checklist = task.checklist,
      ...fields
    } = wanted;
    const { name, description, priority, tags, estimated_hours } = { ...task, ...toColumnValues(fields) };
    const changed: TemplateTask = {
      ...task,
      ...{ name, description: description || null, priority, tags, estimated_hours },
      ...{ start_day: startDay, due_day: dueDay, checklist },
    };
    await writeTemplateChanges(ctx, template, { content: replaceTemplateTask(content, changed) });
    return { success: true as const };
  },
);

function replaceTemplateTask(content: TemplateContent, changed: TemplateTask): string {
  const tasks = content.tasks.map((each) => (each.id === changed.id ? changed : each));
  return serializeContent({ ...content, tasks });
}

export const deleteTemplateTask = defineOperation(
  {
    ...editSpec,
    name: 'deleteTemplateTask',
    summary: 'Delete a task from a template, with its subtasks',
    input: templateTaskInput,
  },
  async (ctx, { id, itemId }) => {
    const template = await readEditableTemplate(ctx, id);
    const content = parseContent(template.content);
    const { tasks } = content;
    requireTemplateTask(tasks, id, itemId);
    if (template.kind === 'task' && tasks[0]?.id === itemId) {
      throw invalidRequestError('A task template must keep its main task. Delete the template instead.');
    }
    // Parents come before their subtasks, so one pass finds all descendants.
    const gone = new Set([itemId]);
    for (const each of tasks) if (each.parent !== null && gone.has(each.parent)) gone.add(each.id);
    const kept = tasks.filter((each) => !gone.has(each.id));
    const relations = content.relations.filter(
      ({ source, target }) => !gone.has(source) && !gone.has(target),
    );
    const next = serializeContent({ ...content, tasks: kept, relations });
    await writeTemplateChanges(ctx, template, { content: next });
    return { success: true as const };
  },
);

function requireTemplateTask(tasks: readonly TemplateTask[], template: number, id: number): TemplateTask {
  const task = tasks.find((each) => each.id === id);
  if (!task) throw notFoundError('template task', id, () => `the page of template ${template}`);
  return task;
}
