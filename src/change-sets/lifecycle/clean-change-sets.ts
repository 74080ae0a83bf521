import { defineCleaningJob } from '../../kernel/operation/cleaning-job.ts';
import { ITEMS_MAX } from '../model/limits.ts';
import {
  deleteAbandonedSets,
  deleteEndedItems,
  deleteEndedSet,
  findEndedSet,
  hasEndedSets,
} from './clean-change-sets.queries.ts';

const ABANDONED_PER_SLICE = 50;

export const cleanChangeSets = defineCleaningJob({
  name: 'change-sets.clean',
  cost: 5,
  rows: 1,
  slicesMax: 20,
  isDue: hasEndedSets,
  deleteSlice: async (cell, now) => {
    const [ended, abandoned] = await cell.batch([
      findEndedSet(now),
      deleteAbandonedSets(now, ABANDONED_PER_SLICE),
      deleteEndedItems(now, ITEMS_MAX),
      ...deleteEndedSet(now),
    ]);
    return [...ended, ...abandoned];
  },
});
