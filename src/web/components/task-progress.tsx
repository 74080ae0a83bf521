import { formatCount } from '../../kernel/text/number-format.ts';
import { Icon } from './icon.tsx';

export function ChecklistProgress({ of: { total, done } }: { of: { total: number; done: number } }) {
  return (
    <span class="number card-count" title={`${done} of ${formatCount(total, 'checklist item')} done`}>
      <Icon name="list-checks" />
      {done}/{total}
      <span class="off-screen"> checklist items done</span>
    </span>
  );
}

export function SubtaskProgress({ of: { total, completed } }: { of: { total: number; completed: number } }) {
  return (
    <span class="number card-count" title={`${completed} of ${formatCount(total, 'subtask')} completed`}>
      <Icon name="list-tree" />
      {completed}/{total}
      <span class="off-screen"> subtasks completed</span>
    </span>
  );
}

export function RepeatIcon() {
  return (
    <span title="Repeats">
      <Icon name="repeat" />
      <span class="off-screen"> Repeats</span>
    </span>
  );
}
