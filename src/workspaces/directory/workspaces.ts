import { countFreshSessions, staleSignInError } from '../../accounts/credentials/fresh-sign-in.ts';
import { buildSessionResult } from '../../accounts/sessions/session.ts';
import { loginResult } from '../../accounts/sessions/sessions.schema.ts';
import { recordTokenSignIn } from '../../accounts/sessions/sign-in-audit.queries.ts';
import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import { notFoundError, unauthorizedError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { countJoinedWorkspaces, findWorkspaceLocation, listJoinedWorkspaces } from './directory.queries.ts';
import { readWorkspaces } from './own-workspaces.ts';
import { toMembership } from './sign-in-workspace.ts';
import { findMembership } from './workspaces.queries.ts';
import { listWorkspacesInput, switchWorkspaceInput, workspacePage } from './workspaces.schema.ts';

export const listWorkspaces = defineOperation(
  {
    name: 'listWorkspaces',
    summary: 'List your workspaces in the order you joined them',
    description: "`isActive` marks the credential's workspace.",
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: listWorkspacesInput,
    output: workspacePage,
  },
  async (ctx, input) => {
    const { caller, request } = ctx;
    const range = toRange(input, 2);
    const [[locations, total]] = await Promise.all([
      request.directory.batch([
        listJoinedWorkspaces(caller.userId, range),
        countJoinedWorkspaces(caller.userId),
      ]),
      ctx.db.batch([]),
    ]);
    const rows = await readWorkspaces(request, caller.userId, locations);
    return buildPage({
      range,
      total,
      rows,
      key: ({ location }) => [location.joined_at, location.workspace_id],
      show: ({ workspace }) => ({ ...workspace, isActive: workspace.id === caller.workspaceId }),
    });
  },
);

export const switchWorkspace = defineOperation(
  {
    name: 'switchWorkspace',
    summary: 'Get a session token for another of your workspaces',
    description: 'The token you send stays valid for its own workspace until it expires.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: switchWorkspaceInput,
    output: loginResult,
    returnsSecret: true,
    audits: ['sign_in.succeeded'],
  },
  async (ctx, input) => {
    const { caller, request } = ctx;
    const [[location, fresh]] = await Promise.all([
      request.directory.batch([findWorkspaceLocation(caller.userId, input.id), countFreshSessions(caller)]),
      ctx.db.batch([]),
    ]);
    if (fresh === 0) throw staleSignInError();
    if (!location) throw unknownWorkspaceError(input.id);
    const [membership] = await request
      .cell(location.cell)
      .batch([findMembership(location.workspace_id, caller.userId)]);
    if (!membership) throw unknownWorkspaceError(input.id);
    const { signedInAt } = caller.credential;
    // The new token would have the current token's sign-in time, which is before the revocation.
    if (signedInAt !== null && signedInAt < membership.sessions_from) throw sessionsEndedError();
    await request
      .cell(location.cell)
      .batch([
        recordTokenSignIn(
          { userId: caller.userId, workspaceId: input.id },
          describeRequestSource(request),
          request.now,
        ),
      ]);
    return buildSessionResult(request, toMembership(location.cell, membership), signedInAt);
  },
);

function sessionsEndedError() {
  return unauthorizedError(
    ({ call }) =>
      `Sessions in that workspace were revoked after you signed in. Sign in again with ${call('login')}.`,
  );
}

function unknownWorkspaceError(id: string) {
  return notFoundError('workspace', id, ({ call }) => call('listWorkspaces'));
}
