import { watchConnection } from './connection.ts';
import { enableDrafts } from './drafts.ts';
import { enablePushSession } from './push-session.ts';
import { enableStoredPages } from './stored-page.ts';
import { enableTimers } from './timers.ts';

enableDrafts();
watchConnection();
enableTimers();
enablePushSession();
enableStoredPages();
