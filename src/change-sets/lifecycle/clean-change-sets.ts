import { defineCleanupJob } from '../../kernel/operation/cleanup-job.ts';
import { ITEMS_MAX } from '../model/limits.ts';
import {
  deleteAbandonedSets,
  deleteEndedSet,
  deleteEndedSetItems,
  findEndedSet,
  hasEndedSets,
} from './clean-change-sets.queries.ts';

const ABANDONED_SETS_PER_SLICE = 50;

export const cleanChangeSets = defineCleanupJob({
  name: 'change-sets.clean',
  cost: 5,
  rows: 1,
  slicesMax: 20,
  isDue: hasEndedSets,
  deleteSlice: async (cell, now) => {
    const [ended, abandoned] = await cell.batch([
      findEndedSet(now),
      deleteAbandonedSets(now, ABANDONED_SETS_PER_SLICE),
      deleteEndedSetItems(now, ITEMS_MAX),
      ...deleteEndedSet(now),
    ]);
    return [...ended, ...abandoned];
  },
});
