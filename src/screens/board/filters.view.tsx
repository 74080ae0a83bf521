import type * as z from 'zod';
import { addDays, weekOf } from '../../kernel/civil.ts';
import type { projectMember } from '../../projects/projects.schema.ts';
import { taskPriorities } from '../../task-model/tasks.schema.ts';
import { useVisit } from '../../web/components/context.ts';
import { priorityLabels } from '../../web/components/work.tsx';
import type { boardParams } from './board.tsx';

interface FiltersProps {
  params: z.output<typeof boardParams>;
  members: readonly z.output<typeof projectMember>[];
}

/** Filters stand in the address, so a board can be sent to somebody as it is. */
export function BoardFilters({ params, members }: FiltersProps) {
  const { address, caller, today } = useVisit();
  const [path] = address.split('?');
  const isFiltered = address.includes('?');
  const week = weekOf(today).to;
  const others = members.filter(({ id }) => id !== caller.userId);
  return (
    <form method="get" action={path} class="filters" aria-label="Filter the board" data-auto>
      <input
        type="search"
        name="q"
        value={params.q}
        maxlength={200}
        placeholder="Filter by text"
        aria-label="Text"
      />
      <select name="assignee" aria-label="Assignee">
        <option value="">Everyone</option>
        <option value="me" selected={params.assignee === 'me'}>
          Me
        </option>
        <option value="none" selected={params.assignee === 'none'}>
          Nobody
        </option>
        {others.map(({ id, name }) => (
          <option value={id} selected={params.assignee === id}>
            {name}
          </option>
        ))}
      </select>
      <select name="priority" aria-label="Priority">
        <option value="">Any priority</option>
        {taskPriorities.map((value) => (
          <option value={value} selected={params.priority === value}>
            {priorityLabels[value]}
          </option>
        ))}
      </select>
      <select name="to" aria-label="Deadline">
        <option value="">Any deadline</option>
        <option value={addDays(today, -1)} selected={params.to === addDays(today, -1)}>
          Overdue
        </option>
        <option value={today} selected={params.to === today}>
          Until today
        </option>
        <option value={week} selected={params.to === week}>
          Until Sunday
        </option>
      </select>
      <select name="sort" aria-label="Order">
        <option value="">By hand</option>
        <option value="created" selected={params.sort === 'created'}>
          Newest first
        </option>
        <option value="due" selected={params.sort === 'due'}>
          By deadline
        </option>
      </select>
      <button type="submit" class="plain auto">
        Filter
      </button>
      {isFiltered ? <a href={path}>Clear</a> : null}
    </form>
  );
}
