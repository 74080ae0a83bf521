import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listCards } from './cards.ts';
import { setTaskCategory } from './category.ts';
import { followTask, unfollowTask } from './following.ts';
import { moveCard } from './move-card.ts';
import { setTaskTags } from './tags.ts';
import { setTaskField } from './task-fields.ts';

export const taskWebOperations: readonly AnyOperation[] = [
  setTaskTags,
  setTaskField,
  setTaskCategory,
  listCards,
  moveCard,
  followTask,
  unfollowTask,
];
