import { watchConnection } from './connection.ts';
import { keepDrafts } from './drafts.ts';

keepDrafts();
watchConnection();
