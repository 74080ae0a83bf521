import type * as z from 'zod';
import { addDays, weekOf } from '../../kernel/civil.ts';
import type { projectMember } from '../../projects/projects.schema.ts';
import { useVisit } from '../../web/components/context.ts';
import { Filters } from '../../web/components/filters.tsx';
import { priorityOptions } from '../../web/components/work.tsx';
import type { boardParams } from './board.tsx';

interface FiltersProps {
  params: z.output<typeof boardParams>;
  members: readonly z.output<typeof projectMember>[];
}

export function BoardFilters({ params: { q, assignee, priority, to, sort }, members }: FiltersProps) {
  const { caller, today } = useVisit();
  const sunday = weekOf(today).to;
  return (
    <Filters
      label="Filter the board"
      text={q}
      isSet={Boolean(assignee || priority || to || sort)}
      choices={[
        {
          name: 'assignee',
          label: 'Assignee',
          value: assignee,
          options: [
            ['', 'Everyone'],
            ['me', 'Me'],
            ['none', 'Nobody'],
          ],
          people: { people: { data: members, meta: { hasMore: false } }, without: [caller.userId] },
        },
        {
          name: 'priority',
          label: 'Priority',
          value: priority,
          options: [['', 'Any priority'], ...priorityOptions],
        },
        {
          name: 'to',
          label: 'Deadline',
          value: to,
          options: [
            ['', 'Any deadline'],
            [addDays(today, -1), 'Overdue'],
            [today, 'Until today'],
            ...(sunday === today ? [] : [[sunday, 'Until Sunday'] as const]),
          ],
        },
        {
          name: 'sort',
          label: 'Order',
          value: sort,
          options: [
            ['', 'By hand'],
            ['created', 'Newest first'],
            ['due', 'By deadline'],
          ],
        },
      ]}
    />
  );
}
