import { useVisit } from './context.ts';
import { Icon } from './icon.tsx';

export function NewTaskLink({ known }: { known: Readonly<Record<string, string | number | undefined>> }) {
  const { base } = useVisit();
  const parameters = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return (
    <a
      class="button plain"
      href={`${base}/tasks/new${parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ''}`}
    >
      <Icon name="plus" />
      New task
    </a>
  );
}
