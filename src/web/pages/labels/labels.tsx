import * as z from 'zod';
import { listLabels, updateLabel } from '../../../tasks/labels/labels.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { LabelsView } from './labels.view.tsx';

const LABELS_SHOWN_MAX = 50;

export const labelsParams = z.object({ offset: z.int().min(0).default(0) });
export const labelsReads = { labels: listLabels };

export const labelsPage = definePage({
  name: 'labels',
  path: '/labels',
  title: () => 'Tags',
  params: labelsParams,
  reads: labelsReads,
  inputs: ({ offset }) => ({ labels: { limit: LABELS_SHOWN_MAX, offset } }),
  view: LabelsView,
});

export const updateLabelForm = defineForm({
  name: 'changeLabel',
  path: '/labels',
  operation: updateLabel,
  flash: () => ({ text: 'Tag saved' }),
});
