import type { Child } from 'hono/jsx';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { buildStatusOptions, priorityOptions } from '../../components/status-and-priority.tsx';
import type { ListedTask, Statuses } from './columns.tsx';

export const editableColumnNames = ['status', 'priority', 'assignee', 'deadline'] as const;
export type EditableColumnName = (typeof editableColumnNames)[number];

export function isEditableColumn(name: string): name is EditableColumnName {
  return (editableColumnNames as readonly string[]).includes(name);
}

const formFieldNames = {
  status: 'status',
  priority: 'priority',
  assignee: 'assigneeId',
  deadline: 'deadline',
} as const;

interface EditableCellProps {
  task: ListedTask;
  name: EditableColumnName;
  label: string;
  text: string;
  children: Child;
}

export function EditableCell({ task, name, label, text, children }: EditableCellProps) {
  const { address } = useVisit();
  return (
    <a
      class="cell"
      id={toCellId(task, name)}
      href={setQueryParameter(setQueryParameter(address, 'edit', String(task.id)), 'field', name)}
      data-in-place
      data-no-prefetch
      data-pick={name === 'status' ? undefined : name}
    >
      {children ?? <span class="none">{text === '' ? '–' : text}</span>}
      <span class="off-screen">, edit {label.toLowerCase()}</span>
    </a>
  );
}

interface CellEditorProps {
  task: ListedTask;
  name: EditableColumnName;
  label: string;
  statuses: Statuses;
  people: Parameters<typeof PersonSelect>[0]['people'];
}

export function CellEditor({ task, name, label, statuses, people }: CellEditorProps) {
  const { base, address } = useVisit();
  const field = formFieldNames[name];
  const back = setQueryParameter(setQueryParameter(address, 'edit', null), 'field', null);
  const shared = { name: field, id: toCellId(task, name), label, isLabelHidden: true };
  return (
    <Form action={`${base}/tasks/${task.id}`} auto class="cell-form" back={back} of={{ field }}>
      {name === 'deadline' ? (
        <Field {...shared} type="date" value={task.deadline ?? ''} isOptional isFocused />
      ) : name === 'assignee' ? (
        <PersonSelect
          {...shared}
          value={task.assignee?.id ?? ''}
          first={[['', 'Unassigned']]}
          people={people}
          current={task.assignee}
        />
      ) : (
        <Select {...shared} {...getCellOptions(name, { task, statuses })} />
      )}
      <button type="submit" class="plain auto">
        Save
      </button>
      <a href={back} data-in-place data-leave data-no-prefetch>
        Cancel
      </a>
    </Form>
  );
}

function getCellOptions(
  name: 'status' | 'priority',
  { task, statuses }: Pick<CellEditorProps, 'task' | 'statuses'>,
) {
  return name === 'status'
    ? { value: task.status, options: buildStatusOptions(statuses, task.status) }
    : { value: task.priority, options: priorityOptions };
}

function toCellId({ id }: ListedTask, name: EditableColumnName): string {
  return `cell-${id}-${name}`;
}
