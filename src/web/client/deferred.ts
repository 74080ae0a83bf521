// Loaded after the first interaction: drafts and the connection banner.
import { watchConnection } from './connection.ts';
import { keepDrafts } from './drafts.ts';

keepDrafts();
watchConnection();
