// The script of every workspace page. Pages also work without it.
import { enhanceFilters } from './filters.ts';
import { enableFlashMessage } from './flash-message.ts';
import { enhanceForms } from './forms.ts';
import { enhanceKeys } from './keys.ts';
import { followChanges } from './live.ts';
import { loadLater } from './load-deferred.ts';
import { loadModules } from './modules.ts';
import { runTimers } from './timers.ts';

document.documentElement.classList.add('scripted');
enhanceForms();
enhanceFilters();
enhanceKeys();
loadModules();
runTimers();
followChanges();
loadLater();
enableFlashMessage();
