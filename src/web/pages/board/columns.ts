import type * as z from 'zod';
import { type TaskStatus, taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import type { Card } from '../../../tasks/operations/cards.schema.ts';
import type { TaskFilter } from '../../../tasks/saved-filters/task-filter.ts';
import type { ViewProps } from '../../page-model/page.ts';
import type { columnReads } from './column-reads.ts';

export interface VisibleColumn {
  readonly data: readonly Card[];
  readonly total: number;
  /** If false, `total` is the number of cards displayed, plus one if there are more. */
  readonly isCounted: boolean;
}
export type ColumnsByStatus = ReadonlyMap<TaskStatus, VisibleColumn>;

type ColumnAnswers = ViewProps<z.ZodObject, Record<never, never>, typeof columnReads>['answers'];

export function groupCardsByColumn(
  { found, ...pages }: ColumnAnswers,
  statuses: readonly TaskStatus[] = taskStatuses,
): ColumnsByStatus {
  const columns = new Map<TaskStatus, VisibleColumn>();
  for (const status of statuses) {
    const page = pages[status];
    if (found) {
      const data = found.data.filter((card) => card.status === status);
      columns.set(status, { data, total: data.length, isCounted: true });
    } else if (page)
      columns.set(status, { data: page.data, total: page.meta.total, isCounted: page.isCounted });
  }
  return columns;
}

/** Manual order is stored for whole columns, so lists with these filters have another order. */
export function isInManualOrder({
  tag,
  blocked,
  parent,
  fields,
}: Pick<TaskFilter, 'tag' | 'blocked' | 'parent' | 'fields'>): boolean {
  return !(tag || blocked || parent || fields);
}
