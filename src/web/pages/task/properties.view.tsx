// This file is long because all properties of a task are built from the same few components.
import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { statusesInProject } from '../../../projects/operations/project-columns.schema.ts';
import type { TaskFieldValue } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import type { FieldName } from '../../../tasks/field-values.ts';
import { taskFields } from '../../../tasks/fields.ts';
import { AssigneeChip, Chip, DateChip, PriorityChip, StatusChip } from '../../components/chip.tsx';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import {
  buildStatusOptions,
  priorityLabels,
  priorityOptions,
  StatusLabel,
} from '../../components/status-and-priority.tsx';
import { type LabelChoices, TagList } from '../../components/tags.tsx';
import { Deadline, RelativeTime } from '../../components/time.tsx';
import { CustomFieldProperty, CustomFieldText } from './custom-fields.view.tsx';
import { OtherAssigneesProperty } from './other-assignees.view.tsx';
import { DueTimeProperty, RemindersProperty } from './reminders.view.tsx';
import { RepeatProperty } from './repeat.view.tsx';
import type { Task } from './task.view.tsx';

interface EditablePropertiesProps {
  task: Task;
  statuses: z.output<typeof statusesInProject>['data'];
  people: Parameters<typeof PersonSelect>[0]['people'];
  labels: LabelChoices | null;
}

interface TaskPropertiesProps extends EditablePropertiesProps {
  reminders: Parameters<typeof RemindersProperty>[0]['items'];
  fields: readonly TaskFieldValue[];
}

export function TaskProperties({ task, statuses, people, labels, reminders, fields }: TaskPropertiesProps) {
  return (
    <div class="panel">
      <dl class="property-list">
        {task.isArchived ? <ReadOnlyProperties task={task} statuses={statuses} /> : null}
        {task.isArchived ? null : (
          <EditableProperties task={task} statuses={statuses} people={people} labels={labels} />
        )}
        <RemindersProperty task={task} items={reminders} />
        <RepeatProperty task={task} recurrence={task.recurrence ?? null} />
        {fields.map((field) =>
          task.isArchived ? (
            <Property label={field.name} value={<CustomFieldText field={field} />} />
          ) : (
            <CustomFieldProperty task={task} field={field} people={people} />
          ),
        )}
        <CategoryProperty task={task} />
        {task.scheduledTime ? <Property label="Time" value={task.scheduledTime} /> : null}
        {task.isArchived && task.tags.length > 0 ? (
          <Property label="Tags" value={<TagList tags={task.tags} labels={labels} />} />
        ) : null}
        <FollowersProperty task={task} />
        <Property label="Created" value={<RelativeTime at={task.createdAt} />} />
        <Property label="Created by" value={<PersonName person={task.createdBy} />} />
        <Property label="Updated" value={<RelativeTime at={task.updatedAt} />} />
      </dl>
    </div>
  );
}

/** People select category and type on a separate page, because the list is long and rarely needed. */
function CategoryProperty({ task: { id, category, type, isArchived } }: { task: Task }) {
  const { base } = useVisit();
  if (isArchived && !category) return null;
  const text = [category?.value ?? 'None', ...(type ? [type.value] : [])].join(' · ');
  const value = isArchived ? text : <a href={`${base}/tasks/${id}/category`}>{text}</a>;
  return <Property label={type ? 'Category and type' : 'Category'} value={value} />;
}

function FollowersProperty({ task: { id, followers, assignees = [], isArchived } }: { task: Task }) {
  const { base, caller } = useVisit();
  const names = followers.length === 0 ? 'None' : followers.map(({ name }) => name).join(', ');
  // Assignees always follow their tasks.
  if (isArchived || assignees.some((each) => each.id === caller.userId))
    return <Property label="Followers" value={names} />;
  const isFollowed = followers.some((each) => each.id === caller.userId);
  return (
    <div class="property">
      <dt>Followers</dt>
      <dd>
        {names}
        <Form action={`${base}/tasks/${id}/${isFollowed ? 'unfollow' : 'follow'}`}>
          <button type="submit" class="quiet">
            {isFollowed ? 'Unfollow' : 'Follow'}
          </button>
        </Form>
      </dd>
    </div>
  );
}

function EditableProperties({ task, statuses, people, labels }: EditablePropertiesProps) {
  const { status, assignee, priority } = task;
  return (
    <>
      <ChipProperty task={task} name="status" label={taskFields.status.label}>
        <StatusChip status={statuses.find(({ value }) => value === status)}>
          <Select
            name="status"
            label={taskFields.status.label}
            isLabelHidden
            value={status}
            options={buildStatusOptions(statuses, status)}
          />
        </StatusChip>
      </ChipProperty>
      <ChipProperty task={task} name="assigneeId" label={taskFields.assignee.label}>
        <AssigneeChip person={assignee}>
          <PersonSelect
            name="assigneeId"
            label={taskFields.assignee.label}
            isLabelHidden
            value={assignee?.id ?? ''}
            first={[['', 'Unassigned']]}
            people={people}
            current={assignee}
          />
        </AssigneeChip>
      </ChipProperty>
      <OtherAssigneesProperty task={task} people={people} />
      <ChipProperty task={task} name="priority" label={taskFields.priority.label}>
        <PriorityChip priority={priority}>
          <Select
            name="priority"
            label={taskFields.priority.label}
            isLabelHidden
            value={priority}
            options={priorityOptions}
          />
        </PriorityChip>
      </ChipProperty>
      <DateProperty task={task} name="deadline" />
      <DueTimeProperty task={task} />
      <DateProperty task={task} name="startDate" />
      <FieldProperty
        task={task}
        name="customEstimatedHours"
        value={task.customEstimatedHours}
        placeholder="Hours"
      />
      <ChipProperty
        task={task}
        action="/tags"
        name="tags"
        label={taskFields.tags.label}
        snapshot={{ tags: task.tags }}
      >
        <Chip
          pick="tags"
          title={taskFields.tags.label}
          empty="Add tags"
          content={task.tags.length > 0 ? <TagList tags={task.tags} labels={labels} /> : null}
        >
          <Field
            name="tags"
            label={taskFields.tags.label}
            isLabelHidden
            value={task.tags.join(', ')}
            placeholder="Comma-separated"
            isOptional
            autocomplete="off"
          />
        </Chip>
      </ChipProperty>
      <FieldProperty
        task={task}
        name="parent"
        field="parentId"
        value={task.parent ? String(task.parent.id) : null}
        placeholder="Task number"
        snapshot={{ parentId: task.parent?.id ?? null }}
      />
    </>
  );
}

interface ChipPropertyProps {
  task: Task;
  name: string;
  label: string;
  action?: string;
  snapshot?: Readonly<Record<string, unknown>>;
  children: Child;
}

function ChipProperty({ task, name, label, action = '', snapshot, children }: ChipPropertyProps) {
  const { base } = useVisit();
  return (
    <div class="property">
      <dt aria-hidden="true">{label}</dt>
      <dd class="entry">
        <Form
          action={`${base}/tasks/${task.id}${action}`}
          auto
          of={{ field: name }}
          {...(snapshot && { snapshot })}
        >
          {children}
          <SaveButton label={label} />
        </Form>
      </dd>
    </div>
  );
}

function DateProperty({ task, name }: { task: Task; name: 'deadline' | 'startDate' }) {
  const { label } = taskFields[name];
  return (
    <ChipProperty task={task} name={name} label={label}>
      <DateChip
        pick={name}
        title={label}
        empty="Add date"
        date={task[name]}
        isDone={name === 'startDate' || task.status === 'completed'}
      >
        <Field name={name} label={label} isLabelHidden type="date" value={task[name] ?? ''} isOptional />
      </DateChip>
    </ChipProperty>
  );
}

interface FieldPropertyProps {
  task: Task;
  name: FieldName;
  field?: string;
  value: string | null;
  placeholder?: string;
  snapshot?: Readonly<Record<string, unknown>>;
}

function FieldProperty({ task, name, field = name, value, snapshot, ...rest }: FieldPropertyProps) {
  const { base } = useVisit();
  const { label } = taskFields[name];
  return (
    <div class="property">
      <dt aria-hidden="true">{label}</dt>
      <dd class="entry">
        <Form action={`${base}/tasks/${task.id}`} auto of={{ field }} {...(snapshot && { snapshot })}>
          <Field
            name={field}
            label={label}
            isLabelHidden
            value={value ?? ''}
            isOptional
            autocomplete="off"
            {...rest}
          />
          <SaveButton label={label} />
        </Form>
      </dd>
    </div>
  );
}

function SaveButton({ label }: { label: string }) {
  return (
    <button type="submit" class="plain auto" aria-label={`Save: ${label}`}>
      Save
    </button>
  );
}

function ReadOnlyProperties({ task, statuses }: Pick<EditablePropertiesProps, 'task' | 'statuses'>) {
  const status = statuses.find(({ value }) => value === task.status);
  const others = task.assignees?.slice(1) ?? [];
  return (
    <>
      <Property label="Status" value={<StatusLabel status={status} />} />
      <Property
        label="Assignee"
        value={task.assignee ? <PersonName person={task.assignee} /> : 'Unassigned'}
      />
      {others.length > 0 ? (
        <Property
          label={taskFields.assignees.label}
          value={others.map((person) => <PersonName person={person} />)}
        />
      ) : null}
      <Property label="Priority" value={priorityLabels[task.priority]} />
      {task.deadline ? (
        <Property label="Deadline" value={<Deadline date={task.deadline} time={task.dueTime} isDone />} />
      ) : null}
    </>
  );
}

function Property({ label, value }: { label: string; value: Child }) {
  return (
    <div class="property">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
