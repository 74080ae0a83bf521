// What every page of a workspace runs once it is in use: it keeps what is typed, and says when the connection is lost.
import { watchConnection } from './connection.ts';
import { keepDrafts } from './drafts.ts';

keepDrafts();
watchConnection();
