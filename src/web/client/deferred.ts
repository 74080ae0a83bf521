import { watchConnection } from './connection.ts';
import { enableDrafts } from './drafts.ts';

enableDrafts();
watchConnection();
