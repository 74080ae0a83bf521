import './app.ts';
import { enableAutoSave } from './auto-save.ts';
import { enableCommentForms } from './comment-forms.ts';
import { enableMentions } from './mentions.ts';
import { enableMenus } from './menus.ts';
import { enableImageViewer } from './open-image.ts';
import { enablePickers } from './pickers.ts';
import { enableRecentTasks } from './recent-tasks.ts';
import { enableUploads } from './uploads.ts';

enableAutoSave();
enableCommentForms();
enableImageViewer();
enableMentions();
enableMenus();
enablePickers();
enableUploads();
enableRecentTasks();
