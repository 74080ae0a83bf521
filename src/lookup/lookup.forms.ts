import type { AnyOperation } from '../kernel/operation.ts';
import { listPeopleChoices, listProjectChoices, listStatusChoices, listTeamChoices } from './choices.ts';

export const lookupForms: readonly AnyOperation[] = [
  listPeopleChoices,
  listProjectChoices,
  listStatusChoices,
  listTeamChoices,
];
