// Loaded on every page except boards.
import './workspace-page.ts';
import { enableCopyButtons } from './copy-buttons.ts';
import { enableLiveSearch } from './filters.ts';

enableLiveSearch();
enableCopyButtons();
