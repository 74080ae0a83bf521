import type { AnyOperation } from '../kernel/operation.ts';
import { listCards } from './cards.ts';
import { setTaskTags } from './tags.ts';

export const taskForms: readonly AnyOperation[] = [setTaskTags, listCards];
