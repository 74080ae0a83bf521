import type { Child } from 'hono/jsx';
import { taskFields } from '../../tasks/fields.ts';
import { taskPriorities } from '../../tasks/model/tasks.schema.ts';
import { assets } from '../page-model/assets.ts';
import { useVisit } from './context.ts';
import { Alert } from './field.tsx';
import { Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { PersonName } from './people.tsx';
import { PriorityLabel } from './status-and-priority.tsx';

/** The name of a picker's form starts with this prefix, followed by the name of the task's field. */
export const PICKER_FORM_PREFIX = 'picked-';

export function PickerData() {
  const { base, caller, today, rejected } = useVisit();
  const isMine = rejected?.values.get('field')?.startsWith(PICKER_FORM_PREFIX);
  return (
    <>
      {isMine ? <Alert message={rejected?.message ?? Object.values(rejected?.fields ?? {})[0]} /> : null}
      <div
        class="pickers"
        hidden
        data-module={assets.picker}
        data-styles={assets.pickerStyles}
        data-base={base}
        data-today={today}
        data-me={caller.userId}
      >
        <Form action={`${base}/tasks/0`} label="Edit a task" of={{ field: PICKER_FORM_PREFIX }} />
        <PersonName person={{ id: caller.userId, name: caller.name }} />
        {taskPriorities.map((value) => (
          <span data-priority={value}>
            <PriorityLabel priority={value} />
          </span>
        ))}
      </div>
    </>
  );
}

const placeholders = {
  assignee: <span class="avatar unassigned" />,
  deadline: <Icon name="calendar" />,
  priority: <span class="bars medium" />,
  tags: <Icon name="tag" />,
};

type PickerLinkField = keyof typeof placeholders;

interface PickerLinkProps {
  task: { id: number };
  name: PickerLinkField;
  /** The displayed value. If there is none, a placeholder appears on hover and focus. */
  children?: Child;
}

/**
 * Opens a picker. Tab skips the link, because a shortcut opens the same picker. Without JavaScript, the link opens a
 * page where people can change the value.
 */
export function PickerLink({ task, name, children }: PickerLinkProps) {
  const { base } = useVisit();
  return (
    <a
      class={children ? undefined : 'unset'}
      data-pick={name}
      href={`${base}/tasks/${task.id}${name === 'tags' ? '/tags' : ''}`}
      title={taskFields[name].label}
      tabindex={-1}
    >
      {children ?? placeholders[name]}
    </a>
  );
}
