import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { FieldName } from '../../../tasks/field-values.ts';
import { taskFields } from '../../../tasks/fields.ts';
import type { taskStatus } from '../../../workspaces/reference/reference.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import { priorityLabels, priorityOptions, Status } from '../../components/status-and-priority.tsx';
import { Ago, Due } from '../../components/time.tsx';
import type { Task } from './task.view.tsx';

interface PropertiesProps {
  task: Task;
  statuses: readonly z.output<typeof taskStatus>[];
  people: Parameters<typeof PersonSelect>[0]['people'];
}

export function Properties({ task, statuses, people }: PropertiesProps) {
  return (
    <div class="panel">
      <dl class="props">
        {task.isArchived ? <Shown task={task} statuses={statuses} /> : null}
        {task.isArchived ? null : <Changeable task={task} statuses={statuses} people={people} />}
        <Kind task={task} />
        {task.scheduledTime ? <Fact label="Time" value={task.scheduledTime} /> : null}
        {task.isArchived && task.tags.length > 0 ? (
          <Fact label="Tags" value={task.tags.map((tag) => <span class="tag">{tag}</span>)} />
        ) : null}
        <Followers task={task} />
        <Fact label="Created" value={<Ago at={task.createdAt} />} />
        <Fact label="Created by" value={<PersonName person={task.createdBy} />} />
        <Fact label="Updated" value={<Ago at={task.updatedAt} />} />
      </dl>
    </div>
  );
}

/** Category and type are selected on a separate page: the list is long and rarely needed. */
function Kind({ task: { id, category, type, isArchived } }: { task: Task }) {
  const { base } = useVisit();
  if (isArchived && !category) return null;
  const said = [category?.value ?? 'None', ...(type ? [type.value] : [])].join(' · ');
  const value = isArchived ? said : <a href={`${base}/tasks/${id}/category`}>{said}</a>;
  return <Fact label={type ? 'Type' : 'Category'} value={value} />;
}

function Followers({ task: { id, followers, assignee, isArchived } }: { task: Task }) {
  const { base, caller } = useVisit();
  const names = followers.length === 0 ? 'None' : followers.map(({ name }) => name).join(', ');
  // Assignees always follow their tasks.
  if (isArchived || assignee?.id === caller.userId) return <Fact label="Followers" value={names} />;
  const isFollowed = followers.some((each) => each.id === caller.userId);
  return (
    <div class="prop">
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

function Changeable({ task, statuses, people }: PropertiesProps) {
  const { status, assignee, priority } = task;
  return (
    <>
      <Choice task={task} name="status" label="Status">
        <Select
          name="status"
          label="Status"
          isLabelHidden
          value={status}
          options={statuses.map(({ value, label }) => [value, label])}
        />
      </Choice>
      <Choice task={task} name="assigneeId" label="Assignee">
        <PersonSelect
          name="assigneeId"
          label="Assignee"
          isLabelHidden
          value={assignee?.id ?? ''}
          first={[['', 'Unassigned']]}
          people={people}
          current={assignee}
        />
      </Choice>
      <Choice task={task} name="priority" label="Priority">
        <Select name="priority" label="Priority" isLabelHidden value={priority} options={priorityOptions} />
      </Choice>
      <Entry task={task} name="deadline" type="date" value={task.deadline} />
      <Entry task={task} name="startDate" type="date" value={task.startDate} />
      <Entry
        task={task}
        name="customEstimatedHours"
        type="text"
        value={task.customEstimatedHours}
        placeholder="Hours"
      />
      <Entry
        task={task}
        action="/tags"
        name="tags"
        type="text"
        value={task.tags.join(', ')}
        placeholder="Comma-separated"
        shown={{ tags: task.tags }}
      />
    </>
  );
}

interface ChoiceProps {
  task: Task;
  name: string;
  label: string;
  children: Child;
}

function Choice({ task, name, label, children }: ChoiceProps) {
  const { base } = useVisit();
  return (
    <div class="prop">
      <dt aria-hidden="true">{label}</dt>
      <dd class="entry">
        <Form action={`${base}/tasks/${task.id}`} auto of={{ field: name }}>
          {children}
          <Save label={label} />
        </Form>
      </dd>
    </div>
  );
}

interface EntryProps {
  task: Task;
  name: FieldName;
  type: 'date' | 'text';
  value: string | null;
  /** Path of the field's own form below the task, if it has one. */
  action?: string;
  placeholder?: string;
  shown?: Readonly<Record<string, unknown>>;
}

function Entry({ task, name, type, value, action = '', shown, ...rest }: EntryProps) {
  const { base } = useVisit();
  const { label } = taskFields[name];
  return (
    <div class="prop">
      <dt aria-hidden="true">{label}</dt>
      <dd class="entry">
        <Form
          action={`${base}/tasks/${task.id}${action}`}
          auto
          of={{ field: name }}
          {...(shown && { shown })}
        >
          <Field
            name={name}
            label={label}
            isLabelHidden
            type={type}
            value={value ?? ''}
            isOptional
            autocomplete="off"
            {...rest}
          />
          <Save label={label} />
        </Form>
      </dd>
    </div>
  );
}

function Save({ label }: { label: string }) {
  return (
    <button type="submit" class="plain auto" aria-label={`Save: ${label}`}>
      Save
    </button>
  );
}

function Shown({ task, statuses }: Pick<PropertiesProps, 'task' | 'statuses'>) {
  const status = statuses.find(({ value }) => value === task.status);
  return (
    <>
      <Fact label="Status" value={<Status status={status} />} />
      <Fact label="Assignee" value={task.assignee ? <PersonName person={task.assignee} /> : 'Unassigned'} />
      <Fact label="Priority" value={priorityLabels[task.priority]} />
      {task.deadline ? <Fact label="Deadline" value={<Due date={task.deadline} isDone />} /> : null}
    </>
  );
}

function Fact({ label, value }: { label: string; value: Child }) {
  return (
    <div class="prop">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
