import type { AnyOperation } from '../kernel/operation/operation.ts';
import { getAppSession, listAppSessions } from './app-sessions.ts';
import { undoAppSession } from './undo-session.ts';

export const appActivityWebOperations: readonly AnyOperation[] = [
  listAppSessions,
  getAppSession,
  undoAppSession,
];
