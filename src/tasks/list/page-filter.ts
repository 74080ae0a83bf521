import type { Caller } from '../../kernel/access/access.ts';
import { addDays } from '../../kernel/dates/civil.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import type { Assignees } from '../counters/assignees.queries.ts';
import { bucketsMatching } from '../model/buckets.ts';
import { FIRST_DAY, orNever } from '../model/due-range.ts';
import type { TaskListInput } from '../model/tasks.schema.ts';
import type { PageFilter } from './page-filter.queries.ts';

export function toPageFilter(caller: Caller, input: Wanted): PageFilter {
  const { updatedSince } = input;
  return {
    buckets: archivedOf(input).flatMap((isArchived) => bucketsMatching({ ...input, isArchived })),
    projectId: input.projectId,
    assignees: input.assigneeId && assigneesOf(caller, input.assigneeId),
    onlyMine: wantsMine(input, caller.credential.kind),
    due: dueOf(input),
    updatedSince: updatedSince === undefined ? undefined : Date.parse(updatedSince),
    named: input.ids && { ids: [...new Set(input.ids)], search: input.search },
  };
}

type Wanted = Omit<TaskListInput, 'sort'>;

/** Without `isArchived` a list leaves out archived tasks, unless it is a list of ids. */
function archivedOf({ isArchived, ids }: Wanted): boolean[] {
  if (isArchived !== undefined) return [isArchived];
  return ids ? [false, true] : [false];
}

function assigneesOf({ userId }: Caller, names: readonly string[]): Assignees {
  const people = names.filter((name) => name !== 'none').map((name) => (name === 'me' ? userId : name));
  return { userIds: [...new Set(people)], orUnassigned: names.includes('none') };
}

function dueOf({ dueFrom, dueTo }: Wanted): PageFilter['due'] {
  if (dueFrom === undefined && dueTo === undefined) return undefined;
  if (dueFrom !== undefined && dueTo !== undefined && dueFrom > dueTo) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('dueFrom')} must not be after ${field('dueTo')}; got '${dueFrom}' and '${dueTo}'. Swap them, or leave one out.`,
    );
  }
  return {
    from: dueFrom ?? FIRST_DAY,
    until: dueTo === undefined ? NO_DEADLINE : orNever(addDays(dueTo, 1)),
  };
}

/** `scope` wins over `mine`, and both over the default of the credential. Lists of ids ignore that default. */
function wantsMine({ scope, mine, ids }: Wanted, kind: Caller['credential']['kind']): boolean {
  if (scope !== undefined) return scope === 'mine';
  return mine ?? (kind === 'session' && ids === undefined);
}
