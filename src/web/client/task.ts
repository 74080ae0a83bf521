import './app.ts';
import { enhanceAutoSave } from './auto-save.ts';
import { fitIntoFrame } from './framed.ts';
import { enhanceMentions } from './mention.ts';
import { enhanceUploads } from './uploads.ts';

enhanceAutoSave();
fitIntoFrame();
enhanceMentions();
enhanceUploads();
