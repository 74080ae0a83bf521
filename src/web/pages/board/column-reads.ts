import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { type TaskStatus, taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import { SEARCH_CARDS_MAX } from '../../../tasks/operations/cards.schema.ts';
import { listCards } from '../../../tasks/operations/cards.ts';
import { fieldFilterCheck, tagSearchLimitCheck } from '../../page-model/filter-checks.ts';

const CARDS_IN_EXPANDED_COLUMN = 50;

export const columnParams = {
  more: z.enum(taskStatuses).optional(),
  move: integerId.optional(),
};

/** One read per column. Text searches are expensive, so a search reads all columns at once, as `found`. */
export const columnReads = {
  found: listCards,
  todo: listCards,
  in_progress: listCards,
  internal_review: listCards,
  client_review: listCards,
  completed: listCards,
};

/** Each column is a separate read, and any of them may fail first. */
const columnCheck = [tagSearchLimitCheck, fieldFilterCheck] as const;
export const columnChecks = {
  found: columnCheck,
  todo: columnCheck,
  in_progress: columnCheck,
  internal_review: columnCheck,
  client_review: columnCheck,
  completed: columnCheck,
};

type CardQuery = Omit<z.input<(typeof listCards)['input']>, 'status' | 'limit'>;

interface ColumnInputOptions {
  readonly statuses?: readonly TaskStatus[];
  readonly more: TaskStatus | undefined;
  readonly cards: number;
}

export function buildColumnInputs(
  query: CardQuery,
  { statuses = taskStatuses, more, cards }: ColumnInputOptions,
) {
  const isSearch = query.search !== undefined;
  const buildInput = (status: TaskStatus) =>
    isSearch || !statuses.includes(status)
      ? null
      : { ...query, status: [status], limit: more === status ? CARDS_IN_EXPANDED_COLUMN : cards };
  return {
    found: isSearch ? { ...query, status: [...statuses], limit: SEARCH_CARDS_MAX } : null,
    todo: buildInput('todo'),
    in_progress: buildInput('in_progress'),
    internal_review: buildInput('internal_review'),
    client_review: buildInput('client_review'),
    completed: buildInput('completed'),
  };
}
