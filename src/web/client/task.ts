import './app.ts';
import { enableAutoSave } from './auto-save.ts';
import { adaptToTaskPanel } from './framed.ts';
import { enableMentions } from './mention.ts';
import { enableUploads } from './uploads.ts';

enableAutoSave();
adaptToTaskPanel();
enableMentions();
enableUploads();
