// The script of every page except boards.
import './every-page.ts';
import { enhanceCopyButtons } from './copy.ts';
import { enhanceLiveSearch } from './filters.ts';

enhanceLiveSearch();
enhanceCopyButtons();
