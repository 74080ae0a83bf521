import type { Caller } from '../../kernel/access/access.ts';
import { addDays, toInstant } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import type { AssigneeFilter } from '../counters/assignees.queries.ts';
import { throwUnknownFieldFilter } from '../custom-fields/field-filter.policy.ts';
import { parseFieldKey } from '../custom-fields/field-values.ts';
import { toBuckets } from '../model/buckets.ts';
import { capDueDay, FIRST_DAY } from '../model/due-range.ts';
import { isBlocked } from '../model/relations.queries.ts';
import { hasNoVisibleParent } from '../model/subtasks.queries.ts';
import type { TaskListInput } from '../model/tasks.schema.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';
import type { PageFilter } from './page-filter.queries.ts';

export function toPageFilter(caller: Caller, input: PageFilterInput): PageFilter {
  const { updatedSince } = input;
  return {
    buckets: toArchivedFlags(input).flatMap((isArchived) => toBuckets({ ...input, isArchived })),
    projectIds: input.projectId && [...new Set(input.projectId)],
    assignees: input.assigneeId && toAssigneeFilter(caller, input.assigneeId),
    onlyMine: requestsOnlyMine(input, caller.credential.kind),
    due: toDueFilter(input),
    updatedSince: updatedSince === undefined ? undefined : Date.parse(updatedSince),
    created: toCreationFilter(input, caller.timezone),
    tags: input.tags || input.tagsAll ? { any: input.tags, all: input.tagsAll } : undefined,
    blocked:
      input.isBlocked === undefined
        ? undefined
        : { is: input.isBlocked, condition: (t) => isBlocked(t, caller) },
    fields: input.customFields && toFieldFilters(caller, input.customFields),
    ...toRequestedTasks(caller, input),
  };
}

function toRequestedTasks(
  caller: Caller,
  { ids, parentId, search }: PageFilterInput,
): Pick<PageFilter, 'named' | 'hasNoParent'> {
  const hasNoParent = parentId === 'none' ? (t: TaskAlias) => hasNoVisibleParent(t, caller) : undefined;
  const parent = parentId === undefined || parentId === 'none' ? undefined : Number(parentId);
  if (ids === undefined && parent === undefined) return { hasNoParent };
  return { hasNoParent, named: { ids: ids && [...new Set(ids)], parent, search } };
}

type PageFilterInput = Omit<TaskListInput, 'sort'>;

function toArchivedFlags({ isArchived, ids }: PageFilterInput): boolean[] {
  if (isArchived !== undefined) return [isArchived];
  return ids ? [false, true] : [false];
}

function toAssigneeFilter({ userId }: Caller, names: readonly string[]): AssigneeFilter {
  const people = names.filter((name) => name !== 'none').map((name) => (name === 'me' ? userId : name));
  return { userIds: [...new Set(people)], orUnassigned: names.includes('none') };
}

function toFieldFilters({ userId }: Caller, values: Readonly<Record<string, string>>): PageFilter['fields'] {
  const filters = Object.entries(values).map(([key, text]) => ({
    id: parseFieldKey(key) ?? throwUnknownFieldFilter(key),
    value: /^\d{1,15}$/.test(text) ? Number(text) : (booleans[text] ?? (text === 'me' ? userId : text)),
  }));
  return filters.length === 0 ? undefined : filters;
}

const booleans: Readonly<Record<string, boolean | undefined>> = { true: true, false: false };

function toDueFilter({ dueFrom, dueTo }: PageFilterInput): PageFilter['due'] {
  if (dueFrom === undefined && dueTo === undefined) return undefined;
  requireDayOrder(['dueFrom', dueFrom], ['dueTo', dueTo]);
  return {
    from: dueFrom ?? FIRST_DAY,
    until: dueTo === undefined ? NO_DEADLINE : capDueDay(addDays(dueTo, 1)),
  };
}

function toCreationFilter(
  { createdFrom, createdTo }: PageFilterInput,
  timezone: string,
): PageFilter['created'] {
  if (createdFrom === undefined && createdTo === undefined) return undefined;
  requireDayOrder(['createdFrom', createdFrom], ['createdTo', createdTo]);
  return {
    since: createdFrom === undefined ? undefined : toInstant(createdFrom, '00:00', timezone),
    // Uses 24:00, because the next day would be invalid after 9999-12-31.
    before: createdTo === undefined ? undefined : toInstant(createdTo, '24:00', timezone),
  };
}

type DayInput = readonly [name: string, day: string | undefined];

function requireDayOrder([from, first]: DayInput, [to, last]: DayInput) {
  if (first === undefined || last === undefined || first <= last) return;
  throw invalidRequestError(
    ({ field }) =>
      `${field(from)} must not be after ${field(to)}; got '${first}' and '${last}'. Swap them, or leave one out.`,
  );
}

/**
 * `scope` overrides `mine`, which overrides the credential's default. The default doesn't apply to requests for tasks
 * by id or parent.
 */
function requestsOnlyMine(
  { scope, mine, ids, parentId = 'none' }: PageFilterInput,
  kind: Caller['credential']['kind'],
): boolean {
  if (scope !== undefined) return scope === 'mine';
  return mine ?? (kind === 'session' && ids === undefined && parentId === 'none');
}
