import './workspace-page.ts';
import { enableCopyButtons } from './copy-buttons.ts';
import { enableLiveSearch } from './filters.ts';

enableLiveSearch();
enableCopyButtons();
