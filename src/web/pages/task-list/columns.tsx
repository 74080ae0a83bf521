import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { statusesInProject } from '../../../projects/operations/project-columns.schema.ts';
import type { FieldChoice } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { parseFieldKey } from '../../../tasks/custom-fields/field-values.ts';
import { taskFields } from '../../../tasks/fields.ts';
import type { listTaskRows } from '../../../time/reports/team-time.ts';
import { Avatars, PersonName } from '../../components/people.tsx';
import { PriorityLabel, priorityLabels, StatusLabel } from '../../components/status-and-priority.tsx';
import { type LabelChoices, TagList } from '../../components/tags.tsx';
import { ChecklistProgress, SubtaskProgress } from '../../components/task-progress.tsx';
import { Deadline, Duration } from '../../components/time.tsx';

export type ListedTask = z.output<(typeof listTaskRows)['output']>['data'][number];
export type Statuses = z.output<typeof statusesInProject>['data'];

const columnNames = [
  'status',
  'priority',
  'assignee',
  'assignees',
  'deadline',
  'dueTime',
  'project',
  'tags',
  'parent',
  'subtasks',
  'checklist',
  'repeat',
  'blocked',
  'tracked',
] as const;
type TaskColumnName = (typeof columnNames)[number];

export function isColumnName(name: string): boolean {
  return (columnNames as readonly string[]).includes(name) || isFieldColumn(name);
}

export function isFieldColumn(name: string): boolean {
  return parseFieldKey(name) !== null;
}

const SECONDS_PER_HOUR = 3600;
const hiddenByDefault: readonly string[] = [
  'assignees',
  'dueTime',
  'tags',
  'parent',
  'subtasks',
  'checklist',
  'repeat',
  'blocked',
  'tracked',
];

interface TaskColumn {
  readonly name: string;
  readonly label: string;
  readonly isWide?: boolean;
  readonly text: (task: ListedTask, statuses: Statuses) => string;
  readonly show: (task: ListedTask, statuses: Statuses, labels: LabelChoices | null) => Child;
}

const findStatus = ({ status }: ListedTask, statuses: Statuses) =>
  statuses.find(({ value }) => value === status);

const columns: readonly (TaskColumn & { name: TaskColumnName })[] = [
  {
    name: 'status',
    label: taskFields.status.label,
    text: (task, statuses) => findStatus(task, statuses)?.label ?? task.status,
    show: (task, statuses) => <StatusLabel status={findStatus(task, statuses)} />,
  },
  {
    name: 'priority',
    label: taskFields.priority.label,
    isWide: true,
    text: ({ priority }) => priorityLabels[priority],
    show: ({ priority }) => <PriorityLabel priority={priority} />,
  },
  {
    name: 'assignee',
    label: taskFields.assignee.label,
    text: ({ assignee }) => assignee?.name ?? '',
    show: ({ assignee, assignees = [] }) =>
      assignee ? (
        <span class="assignees">
          <PersonName person={assignee} />
          <Avatars people={assignees.slice(1)} />
        </span>
      ) : null,
  },
  {
    name: 'assignees',
    label: 'All assignees',
    isWide: true,
    text: ({ assignees = [] }) => assignees.map(({ name }) => name).join(', '),
    show: ({ assignees = [] }) =>
      assignees.length === 0 ? null : (
        <span class="assignees">
          {assignees.map((person) => (
            <PersonName person={person} />
          ))}
        </span>
      ),
  },
  {
    name: 'deadline',
    label: taskFields.deadline.label,
    text: ({ deadline }) => deadline ?? '',
    show: ({ deadline, dueTime, status }) =>
      deadline ? <Deadline date={deadline} time={dueTime} isDone={status === 'completed'} /> : null,
  },
  {
    name: 'dueTime',
    label: taskFields.dueTime.label,
    isWide: true,
    text: ({ dueTime }) => dueTime ?? '',
    show: ({ dueTime }) => dueTime,
  },
  {
    name: 'project',
    label: 'Project',
    isWide: true,
    text: ({ project }) => project.name,
    show: ({ project }) => (
      <span class="clip" title={project.name}>
        {project.name}
      </span>
    ),
  },
  {
    name: 'tags',
    label: taskFields.tags.label,
    isWide: true,
    text: ({ tags }) => tags.join(', '),
    show: ({ tags }, _statuses, labels) =>
      tags.length === 0 ? null : <TagList tags={tags} labels={labels} />,
  },
  {
    name: 'parent',
    label: 'Parent',
    isWide: true,
    text: ({ parent }) => (parent ? String(parent.id) : ''),
    show: ({ parent }) =>
      parent ? (
        <span class="clip" title={parent.name}>
          {parent.name}
        </span>
      ) : null,
  },
  {
    name: 'subtasks',
    label: 'Subtasks',
    // A spreadsheet would read 1/3 as a date.
    text: ({ subtasks }) =>
      subtasks && subtasks.total > 0 ? `${subtasks.completed} of ${subtasks.total}` : '',
    show: ({ subtasks }) => (subtasks && subtasks.total > 0 ? <SubtaskProgress of={subtasks} /> : null),
  },
  {
    name: 'checklist',
    label: 'Checklist',
    text: ({ checklist }) =>
      checklist && checklist.total > 0 ? `${checklist.done} of ${checklist.total}` : '',
    show: ({ checklist }) => (checklist && checklist.total > 0 ? <ChecklistProgress of={checklist} /> : null),
  },
  {
    name: 'repeat',
    label: 'Repeat',
    isWide: true,
    text: ({ repeat }) => repeat ?? '',
    show: ({ repeat }) => repeat,
  },
  {
    name: 'blocked',
    label: 'Blocked',
    isWide: true,
    text: ({ isBlocked }) => (isBlocked ? 'Yes' : ''),
    show: ({ isBlocked }) => (isBlocked ? 'Yes' : null),
  },
  {
    name: 'tracked',
    label: 'Hours tracked',
    text: ({ trackedSeconds }) => ((trackedSeconds ?? 0) / SECONDS_PER_HOUR).toFixed(2),
    show: ({ trackedSeconds }) => (trackedSeconds ? <Duration seconds={trackedSeconds} /> : null),
  },
];

interface VisibleColumnsInput {
  cols?: readonly string[] | undefined;
  project?: number | undefined;
}

export function getVisibleColumns(
  { cols, project }: VisibleColumnsInput,
  fields: readonly FieldChoice[],
): readonly TaskColumn[] {
  const visible = columns.filter(({ name }) =>
    cols
      ? cols.includes(name)
      : !hiddenByDefault.includes(name) && !(name === 'project' && project !== undefined),
  );
  return [...visible, ...fields.filter(({ id }) => cols?.includes(id)).map(toFieldColumn)];
}

function toFieldColumn({ id, name }: FieldChoice): TaskColumn {
  return {
    name: id,
    label: name,
    isWide: true,
    text: ({ fieldTexts }) => fieldTexts[id] ?? '',
    show: ({ fieldTexts }) =>
      fieldTexts[id] === undefined ? null : (
        <span class="clip" title={fieldTexts[id]}>
          {fieldTexts[id]}
        </span>
      ),
  };
}

export function listColumnLabels(fields: readonly FieldChoice[]): (readonly [name: string, label: string])[] {
  return [
    ...columns.map(({ name, label }) => [name, label] as const),
    ...fields.map(({ id, name }) => [id, name] as const),
  ];
}
