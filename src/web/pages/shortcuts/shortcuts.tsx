import * as z from 'zod';
import { definePage } from '../../page-model/page.ts';
import { ShortcutsView } from './shortcuts.view.tsx';

export const shortcutsPage = definePage({
  name: 'shortcuts',
  path: '/shortcuts',
  title: () => 'Keyboard shortcuts',
  params: z.object({}),
  reads: {},
  inputs: () => ({}),
  view: ShortcutsView,
  script: 'shortcuts',
});
