import type { AnyOperation } from '../kernel/operation.ts';
import { listProjectChoices, listTeamChoices } from './choices.ts';

export const lookupForms: readonly AnyOperation[] = [listProjectChoices, listTeamChoices];
