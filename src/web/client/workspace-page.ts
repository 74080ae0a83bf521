// Loaded on every workspace page. Pages also work without this script.

import { enableFieldModules } from './field-modules.ts';
import { enableFilters } from './filters.ts';
import { enableFlashMessage } from './flash-message.ts';
import { enableForms } from './forms.ts';
import { enableShortcuts } from './global-shortcuts.ts';
import { subscribeToChanges } from './live.ts';
import { enablePalette } from './open-palette.ts';
import { enableTaskPanel } from './open-task.ts';
import { scheduleDeferredModule } from './schedule-deferred.ts';
import { enableSidebar } from './sidebar.ts';

document.documentElement.classList.add('scripted');
enableForms();
enableFilters();
enableShortcuts();
enablePalette();
enableTaskPanel();
enableFieldModules();
enableSidebar();
subscribeToChanges();
scheduleDeferredModule();
enableFlashMessage();
