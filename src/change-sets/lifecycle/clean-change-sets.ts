import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import { deleteInSlices } from '../../kernel/sql/delete-in-slices.ts';
import { ITEMS_MAX } from '../model/limits.ts';
import {
  deleteAbandonedSets,
  deleteEndedItems,
  deleteEndedSet,
  findEndedSet,
} from './clean-change-sets.queries.ts';

export const CHANGE_SETS_SLICE_COST = 5;
const sliceLimits = { cost: CHANGE_SETS_SLICE_COST, rows: 1, slicesMax: 20 };
const ABANDONED_PER_SLICE = 50;

export function cleanChangeSets(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  const { now } = scope;
  return deleteInSlices(allowance, sliceLimits, async () => {
    const [ended, abandoned] = await scope
      .cell(no)
      .batch([
        findEndedSet(now),
        deleteAbandonedSets(now, ABANDONED_PER_SLICE),
        deleteEndedItems(now, ITEMS_MAX),
        ...deleteEndedSet(now),
      ]);
    return [...ended, ...abandoned];
  });
}
