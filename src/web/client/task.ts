import './app.ts';
import { enableAutoSave } from './auto-save.ts';
import { adaptToTaskPanel } from './framed-page.ts';
import { enableMentions } from './mentions.ts';
import { enableUploads } from './uploads.ts';

enableAutoSave();
adaptToTaskPanel();
enableMentions();
enableUploads();
