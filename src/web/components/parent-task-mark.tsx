import { Icon } from './icon.tsx';

export function ParentTaskMark({ name }: { name: string }) {
  return (
    <span class="parent-mark clip" title={`Subtask of ${name}`}>
      <Icon name="corner-down-right" />
      <span class="off-screen">Subtask of </span>
      {name}
    </span>
  );
}
