import { type TaskStatus, taskStatuses } from '../../task-model/tasks.schema.ts';
import type { Card } from '../../tasks/cards.schema.ts';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { boardMaybe, boardParams, boardReads } from './board.tsx';

export type BoardProps = ViewProps<typeof boardParams, typeof boardReads, typeof boardMaybe>;
export type BoardParams = BoardProps['params'];

export interface ShownColumn {
  readonly data: readonly Card[];
  readonly total: number;
}
export type Columns = ReadonlyMap<TaskStatus, ShownColumn>;

/** No columns where a filter was refused. What a text finds is counted where it is shown. */
export function columnsOf({ found, ...pages }: BoardProps['answers']): Columns {
  const columns = new Map<TaskStatus, ShownColumn>();
  for (const status of taskStatuses) {
    const page = pages[status];
    if (found) {
      const data = found.data.filter((card) => card.status === status);
      columns.set(status, { data, total: data.length });
    } else if (page) columns.set(status, { data: page.data, total: page.meta.total });
  }
  return columns;
}

/** What a text finds comes newest first, so there is no place to put a card into. */
export function isByHand({ sort, q }: BoardParams): boolean {
  return sort === undefined && !q;
}
