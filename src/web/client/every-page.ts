// The script of every workspace page. Pages also work without it.
import { enableFilters } from './filters.ts';
import { enableFlashMessage } from './flash-message.ts';
import { enableForms } from './forms.ts';
import { enableShortcuts } from './keys.ts';
import { followChanges } from './live.ts';
import { scheduleDeferredModule } from './load-deferred.ts';
import { loadFieldModules } from './modules.ts';
import { runTimers } from './timers.ts';

document.documentElement.classList.add('scripted');
enableForms();
enableFilters();
enableShortcuts();
loadFieldModules();
runTimers();
followChanges();
scheduleDeferredModule();
enableFlashMessage();
