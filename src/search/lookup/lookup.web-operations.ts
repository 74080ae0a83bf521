import type { AnyOperation } from '../../kernel/operation/operation.ts';
import {
  getTeamChoice,
  listPeopleChoices,
  listProjectChoices,
  listStatusChoices,
  listTeamChoices,
} from './choices.ts';
import { getSidebar } from './sidebar.ts';

export const lookupWebOperations: readonly AnyOperation[] = [
  listPeopleChoices,
  listProjectChoices,
  listStatusChoices,
  listTeamChoices,
  getTeamChoice,
  getSidebar,
];
