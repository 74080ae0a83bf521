import * as z from 'zod';
import { getAppSession, listAppSessions } from '../../../app-activity/app-sessions.ts';
import { undoAppSession } from '../../../app-activity/undo-session.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { AppSessionView } from './app-session.view.tsx';
import { AppSessionsView } from './app-sessions.view.tsx';
import { buildSessionPath } from './session-path.ts';

export const appSessionsParams = z.object({ app: integerId, before: integerId.optional() });
export const appSessionsReads = { sessions: listAppSessions };

export const appSessionsPage = definePage({
  name: 'appSessions',
  path: '/apps/:app',
  title: ({ answers: { sessions } }) => `Changes by ${sessions.app.name}`,
  params: appSessionsParams,
  reads: appSessionsReads,
  inputs: ({ app, before }) => ({ sessions: { app, ...(before !== undefined && { before }) } }),
  view: AppSessionsView,
});

export const appSessionParams = z.object({
  app: integerId,
  from: integerId.optional(),
  until: integerId.optional(),
  before: integerId.optional(),
  since: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/)
    .transform((text) => text.slice(0, 'YYYY-MM-DDTHH:MM'.length))
    .optional(),
});
export const appSessionReads = { session: getAppSession };

export const appSessionPage = definePage({
  name: 'appSession',
  path: '/apps/:app/session',
  title: ({ answers: { session } }) => `Changes by ${session.app.name}`,
  params: appSessionParams,
  reads: appSessionReads,
  inputs: ({ app, ...range }) => ({
    session: { app, ...Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined)) },
  }),
  view: AppSessionView,
});

export const undoAppSessionForm = defineForm({
  name: 'undoAppSession',
  path: '/apps/:app/undo',
  operation: undoAppSession,
  removal: 'asked',
  redirectTo: ({ hasMore, next }, { input, back }) =>
    hasMore || next === null
      ? back
      : buildSessionPath(back.slice(0, back.indexOf('?')), { ...input, before: next }),
  flash: ({ output: { undone, kept, impossible } }) => ({
    text: [
      `${formatCount(undone, 'change')} undone`,
      ...(kept > 0 ? [`${kept} kept`] : []),
      ...(impossible > 0 ? [`${impossible} couldn't be undone`] : []),
    ].join(', '),
  }),
});
