import * as z from 'zod';
import {
  applyChangeSet,
  getChangeSet,
  listChangeSets,
  rejectChangeSet,
} from '../../../change-sets/review/review.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { ChangeSetView } from './change-set.view.tsx';
import { ChangeSetsView } from './change-sets.view.tsx';

export const changeSetsParams = z.object({});
export const changeSetsReads = { sets: listChangeSets };

export const changeSetsPage = definePage({
  name: 'changeSets',
  path: '/changes',
  title: () => 'Proposed changes',
  params: changeSetsParams,
  reads: changeSetsReads,
  inputs: () => ({ sets: {} }),
  view: ChangeSetsView,
});

export const changeSetParams = z.object({ changeSet: integerId });
export const changeSetReads = { set: getChangeSet };

export const changeSetPage = definePage({
  name: 'changeSet',
  path: '/changes/:changeSet',
  title: ({ answers: { set } }) => set.title || `Changes by ${set.app}`,
  params: changeSetParams,
  reads: changeSetReads,
  inputs: ({ changeSet }) => ({ set: { id: changeSet } }),
  mentioned: ({ set }) => set.mentioned,
  view: ChangeSetView,
});

export const applyChangeSetForm = defineForm({
  name: 'applyChangeSet',
  path: '/changes/:id/apply',
  operation: applyChangeSet,
  toInput: (fields) => ({
    items: fields.getAll('items').map(Number),
    isAllOrNothing: fields.get('isAllOrNothing') === 'true',
  }),
  flash: ({ output: { applied, conflicts } }) => ({
    text: `${formatCount(applied, 'change')} applied${conflicts > 0 ? `, ${formatCount(conflicts, 'conflict')} skipped` : ''}`,
  }),
});

export const rejectChangeSetForm = defineForm({
  name: 'rejectChangeSet',
  path: '/changes/:id/reject',
  operation: rejectChangeSet,
  flash: () => ({ text: 'Changes rejected' }),
});
