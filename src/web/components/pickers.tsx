import type { Child } from 'hono/jsx';
import { taskFields } from '../../tasks/fields.ts';
import { taskPriorities } from '../../tasks/model/tasks.schema.ts';
import { assets } from '../page-model/assets.ts';
import { useVisit } from './context.ts';
import { Alert } from './field.tsx';
import { Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { PersonName } from './people.tsx';
import { PriorityName } from './status-and-priority.tsx';

/** The name of a picker's form starts with this prefix, followed by the name of the task's field. */
export const PICKED_PREFIX = 'picked-';

/** Renders everything that src/web/client/picker needs, once per page. */
export function Pickers() {
  const { base, caller, today, rejected } = useVisit();
  const isMine = rejected?.values.get('field')?.startsWith(PICKED_PREFIX);
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
        <Form action={`${base}/tasks/0`} label="Edit a task" of={{ field: PICKED_PREFIX }} />
        <PersonName person={{ id: caller.userId, name: caller.name }} />
        {taskPriorities.map((value) => (
          <span data-priority={value}>
            <PriorityName priority={value} />
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

type PickedField = keyof typeof placeholders;

interface PickLinkProps {
  task: { id: number };
  name: PickedField;
  /** The value. If there is none, a placeholder appears on hover and focus. */
  children?: Child;
}

/**
 * Opens a picker. Tab skips the link, because a shortcut opens the same picker. Without JavaScript, the link opens a
 * page where people can change the value.
 */
export function PickLink({ task, name, children }: PickLinkProps) {
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
