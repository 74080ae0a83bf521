import { formatCount } from '../../../kernel/text/number-format.ts';
import { taskFields } from '../../../tasks/fields.ts';
import type { TemplateDetail } from '../../../templates/model/templates.schema.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { priorityLabels, priorityOptions } from '../../components/status-and-priority.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { relationTypeLabels } from '../task/relations.view.tsx';

type TemplateTask = TemplateDetail['tasks'][number];

export const CHECKLIST_FIELD = 'lines';

export function TemplateTasks({ template, templateUrl }: { template: TemplateDetail; templateUrl: string }) {
  const { tasks, mayChange } = template;
  const [root] = tasks;
  return (
    <section class="group" aria-labelledby="template-tasks">
      <h2 id="template-tasks">
        {template.kind === 'task' ? 'Task and subtasks' : 'Tasks'} <span class="number">{tasks.length}</span>
      </h2>
      {template.kind === 'project' ? (
        <p class="hint">New projects also start with the columns and custom fields saved in this template.</p>
      ) : null}
      {mayChange && tasks.some(({ fields, relations }) => fields.length + relations.length > 0) ? (
        <p class="hint">
          To change custom fields or relations, create {template.kind === 'task' ? 'a task' : 'a project'}{' '}
          from this template, edit it, and save it as a template again.
        </p>
      ) : null}
      <ul class="rows panel template-tasks">
        {listInOutlineOrder(tasks).map(({ item, level }) => (
          <li class={level > 1 ? 'indented' : undefined}>
            <details class="grow">
              <summary>
                <bdi>{item.name}</bdi> <TemplateTaskSummary item={item} />
              </summary>
              {mayChange ? (
                <TemplateTaskForm item={item} action={`${templateUrl}/items/${item.id}`} />
              ) : (
                <TemplateTaskChecklist item={item} />
              )}
              <FieldAndRelationList item={item} />
              {mayChange ? <AddTemplateTaskForm templateUrl={templateUrl} parent={item} /> : null}
              {mayChange && !(template.kind === 'task' && item.id === root?.id) ? (
                <Confirmation
                  label="Delete task"
                  action={`${templateUrl}/items/${item.id}/remove`}
                  confirm="Delete"
                >
                  <p>Its subtasks are also deleted. This can't be undone.</p>
                </Confirmation>
              ) : null}
            </details>
          </li>
        ))}
      </ul>
      {mayChange && template.kind === 'project' ? (
        <AddTemplateTaskForm templateUrl={templateUrl} parent={null} />
      ) : null}
    </section>
  );
}

function listInOutlineOrder(
  tasks: readonly TemplateTask[],
  parent: number | null = null,
  level = 1,
): { item: TemplateTask; level: number }[] {
  return tasks
    .filter(({ parentId }) => parentId === parent)
    .flatMap((item) => [{ item, level }, ...listInOutlineOrder(tasks, item.id, level + 1)]);
}

function TemplateTaskSummary({ item }: { item: TemplateTask }) {
  const details = [
    item.startDay === null ? null : `starts ${formatDayOffset(item.startDay)}`,
    item.dueDay === null ? null : `due ${formatDayOffset(item.dueDay)}`,
    item.priority === 'medium' ? null : priorityLabels[item.priority],
    item.checklist.length === 0 ? null : formatCount(item.checklist.length, 'checklist item'),
    item.fields.length === 0 ? null : formatCount(item.fields.length, 'custom field'),
    item.relations.some(({ type }) => type === 'blocked_by') ? 'blocked' : null,
  ].filter((detail) => detail !== null);
  return <span class="hint">{details.join(' · ')}</span>;
}

function formatDayOffset(day: number): string {
  if (day === 0) return 'on the first day';
  return `${formatCount(Math.abs(day), 'day')} ${day > 0 ? 'after' : 'before'} the first day`;
}

function FieldAndRelationList({ item: { fields, relations } }: { item: TemplateTask }) {
  if (fields.length + relations.length === 0) return null;
  return (
    <ul class="template-task-details">
      {fields.map(({ name, text }) => (
        <li>
          <bdi>{name}</bdi>
          {text === null ? null : (
            <>
              : <bdi>{text}</bdi>
            </>
          )}
        </li>
      ))}
      {relations.map(({ type, name }) => (
        <li>
          {relationTypeLabels[type]}: <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}

function TemplateTaskChecklist({ item }: { item: TemplateTask }) {
  return (
    <ul>
      {item.checklist.map((line) => (
        <li>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

function TemplateTaskForm({ item, action }: { item: TemplateTask; action: string }) {
  const { name, priority, tags, startDay, dueDay, customEstimatedHours, checklist } = item;
  const id = `item-${item.id}`;
  const snapshot = { name, priority, tags, startDay, dueDay, customEstimatedHours, checklist };
  return (
    <Form action={action} class="padded" label={name} snapshot={snapshot}>
      <Field
        name="name"
        id={id}
        label={taskFields.name.label}
        value={name}
        maxlength={500}
        autocomplete="off"
      />
      <div class="field-grid">
        <DayOffsetField name="startDay" id={`${id}-start`} label="Start day" value={startDay} />
        <DayOffsetField name="dueDay" id={`${id}-due`} label="Due day" value={dueDay} />
        <Select
          name="priority"
          id={`${id}-priority`}
          label={taskFields.priority.label}
          value={priority}
          options={priorityOptions}
        />
        <Field
          name="customEstimatedHours"
          id={`${id}-hours`}
          label={taskFields.customEstimatedHours.label}
          type="number"
          min={0}
          max={9999.99}
          step={0.01}
          value={customEstimatedHours ?? ''}
          isOptional
        />
      </div>
      <TagsField id={`${id}-tags`} tags={tags} />
      <TextArea
        name={CHECKLIST_FIELD}
        id={`${id}-lines`}
        label="Checklist"
        value={checklist.join('\n')}
        rows={Math.min(12, checklist.length + 2)}
        hint="One item per line"
        isOptional
      />
      <button type="submit">Save task</button>
    </Form>
  );
}

interface DayOffsetFieldProps {
  name: string;
  id: string;
  label: string;
  value: number | null;
}

function DayOffsetField({ name, id, label, value }: DayOffsetFieldProps) {
  return (
    <Field
      name={name}
      id={id}
      label={label}
      type="number"
      min={-3650}
      max={3650}
      step={1}
      value={value === null ? '' : String(value)}
      isOptional
      hint="0 is the first day, 1 is the next day"
    />
  );
}

function AddTemplateTaskForm({ templateUrl, parent }: { templateUrl: string; parent: TemplateTask | null }) {
  const label = parent ? `Add a subtask to ${parent.name}` : 'Add a task';
  return (
    <Form
      action={`${templateUrl}/items`}
      class="quick-add"
      label={label}
      {...(parent && { of: { parentId: parent.id } })}
    >
      <Field
        name="name"
        id={`new-item-${parent?.id ?? 'top'}`}
        label={label}
        isLabelHidden
        maxlength={500}
        autocomplete="off"
        placeholder={parent ? 'Add a subtask…' : 'Add a task…'}
      />
      <button type="submit" class="quiet">
        <Icon name="plus" />
        Add
      </button>
    </Form>
  );
}
