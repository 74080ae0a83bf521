// What tasks and the files of a project run beside the frame: mentions and uploads.
import './app.ts';
import { enhanceMentions } from './mention.ts';
import { enhanceUploads } from './uploads.ts';

enhanceMentions();
enhanceUploads();
