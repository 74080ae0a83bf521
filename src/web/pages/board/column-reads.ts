import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { type TaskStatus, taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import { CARDS_FOUND_MAX } from '../../../tasks/operations/cards.schema.ts';
import { listCards } from '../../../tasks/operations/cards.ts';

/** A column that is opened shows so many; the rest are a list. */
const CARDS_IN_OPEN_COLUMN = 50;

/** What the address of a board says beside its filter. */
export const columnParams = {
  /** The column that shows more. */
  more: z.enum(taskStatuses).optional(),
  /** The task whose new column is being chosen, where no script shows the choice. */
  move: integerId.optional(),
};

/** The columns, or what a text finds in all of them: looking for it once costs a fifth. */
export const columnReads = {
  found: listCards,
  todo: listCards,
  in_progress: listCards,
  internal_review: listCards,
  client_review: listCards,
  completed: listCards,
};

type CardsAsked = Omit<z.input<(typeof listCards)['input']>, 'status' | 'limit'>;

interface Shown {
  readonly statuses?: readonly TaskStatus[];
  readonly more: TaskStatus | undefined;
  /** Cards of a column that is not opened. */
  readonly cards: number;
}

/** @param asked the filter and the order of every column. */
export function columnInputs(asked: CardsAsked, { statuses = taskStatuses, more, cards }: Shown) {
  const isSearch = asked.search !== undefined;
  const column = (status: TaskStatus) =>
    isSearch || !statuses.includes(status)
      ? null
      : { ...asked, status: [status], limit: more === status ? CARDS_IN_OPEN_COLUMN : cards };
  return {
    found: isSearch ? { ...asked, status: [...statuses], limit: CARDS_FOUND_MAX } : null,
    todo: column('todo'),
    in_progress: column('in_progress'),
    internal_review: column('internal_review'),
    client_review: column('client_review'),
    completed: column('completed'),
  };
}
