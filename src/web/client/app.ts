// The script of every page but boards, which have no live search and no copy buttons.
import './every-page.ts';
import { enhanceCopyButtons } from './copy.ts';
import { enhanceLiveSearch } from './filters.ts';

enhanceLiveSearch();
enhanceCopyButtons();
