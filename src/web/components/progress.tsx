import { formatCount } from './time.tsx';

export function Progress({ of: { total, completed } }: { of: { total: number; completed: number } }) {
  return (
    <span class="number" title={`${completed} of ${formatCount(total, 'subtask')} completed`}>
      {completed}/{total}
      <span class="off-screen"> subtasks completed</span>
    </span>
  );
}
