import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { PersonName } from './people.tsx';
import { PriorityLabel, StatusLabel } from './status-and-priority.tsx';
import { Deadline } from './time.tsx';

interface ChipProps {
  pick: 'assignee' | 'deadline' | 'priority' | 'tags' | 'status' | 'startDate' | 'date' | 'list';
  empty?: string;
  icon?: IconName;
  title?: string;
  content: Child;
  /** Filters hide the chips that aren't set. */
  isSet?: boolean;
  /** If true, the picker can select several values. The native control separates them with commas. */
  isMultiple?: boolean | undefined;
  /** Ids that the picker omits. Choosing any other id submits the form. */
  without?: readonly string[];
  /** The native control, which is transparent but can be focused. Without JavaScript, it is the only control. */
  children: Child;
}

/** Shows a value as text. A click or a key such as Space opens a picker instead of the native control. */
export function Chip({ pick, empty, icon, title, content, isSet, isMultiple, without, children }: ChipProps) {
  return (
    <div
      class={isSet ? 'chip set' : 'chip'}
      data-empty={empty}
      data-without={without?.join(' ')}
      data-multiple={isMultiple ? '' : undefined}
      title={title}
    >
      <span data-pick={pick} aria-hidden="true">
        {icon ? <Icon name={icon} /> : null}
        {content ?? <span class="unset">{empty}</span>}
      </span>
      {children}
    </div>
  );
}

type ChipControlProps = Pick<ChipProps, 'children'>;

interface StatusChipProps extends ChipControlProps {
  status: Parameters<typeof StatusLabel>[0]['status'];
}

export function StatusChip({ status, children }: StatusChipProps) {
  return (
    <Chip pick="status" title="Status" content={<StatusLabel status={status} />}>
      {children}
    </Chip>
  );
}

interface AssigneeChipProps extends ChipControlProps {
  person: Parameters<typeof PersonName>[0]['person'] | null | undefined;
}

export function AssigneeChip({ person, children }: AssigneeChipProps) {
  const unassigned = (
    <span class="person-name">
      <span class="avatar unassigned" /> Unassigned
    </span>
  );
  return (
    <Chip pick="assignee" title="Assignee" content={person ? <PersonName person={person} /> : unassigned}>
      {children}
    </Chip>
  );
}

interface PriorityChipProps extends ChipControlProps {
  priority: Parameters<typeof PriorityLabel>[0]['priority'];
}

export function PriorityChip({ priority, children }: PriorityChipProps) {
  return (
    <Chip pick="priority" title="Priority" content={<PriorityLabel priority={priority} />}>
      {children}
    </Chip>
  );
}

interface DateChipProps extends ChipControlProps {
  pick: 'deadline' | 'startDate';
  title: string;
  empty: string;
  date: string | null | undefined;
  isDone?: boolean;
}

export function DateChip({ date, isDone, ...rest }: DateChipProps) {
  return (
    <Chip
      icon="calendar"
      content={date ? <Deadline date={date} isDone={isDone ?? false} /> : null}
      {...rest}
    />
  );
}
