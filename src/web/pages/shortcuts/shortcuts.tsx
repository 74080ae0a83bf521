import * as z from 'zod';
import { page } from '../../page-model/page.ts';
import { ShortcutsView } from './shortcuts.view.tsx';

export const shortcutsPage = page({
  name: 'shortcuts',
  path: '/shortcuts',
  title: () => 'Keyboard shortcuts',
  params: z.object({}),
  reads: {},
  inputs: () => ({}),
  view: ShortcutsView,
  script: 'shortcuts',
});
