// What every page but a board runs: a board has neither a search of its own nor anything to copy, and weighs less so.
import './every-page.ts';
import { enhanceCopyButtons } from './copy.ts';
import { enhanceLiveSearch } from './filters.ts';

enhanceLiveSearch();
enhanceCopyButtons();
