import { useVisit } from './context.ts';
import { HeaderLink } from './header-link.tsx';

export function NewTaskLink({ known }: { known: Readonly<Record<string, string | number | undefined>> }) {
  const { base } = useVisit();
  const parameters = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
  return <HeaderLink href={`${base}/tasks/new${query}`} icon="plus" label="New task" />;
}
