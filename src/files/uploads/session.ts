import type { Caller } from '../../kernel/access/access.ts';
import { getDurableObject } from '../../kernel/operation/durable-objects.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { SessionView } from './session-state.ts';
import type { UploadSession } from './upload-session.ts';
import { sessionNotFoundError } from './uploads.policy.ts';

/** Matches the ids that `createSecret` creates. Other ids must not start a Durable Object. */
const SESSION_ID_PATTERN = /^[\w-]{27}$/;

export function toOwnerKey({ workspaceId, userId }: Pick<Caller, 'workspaceId' | 'userId'>): string {
  return `${workspaceId} ${userId}`;
}

export function getSessionStub(
  { env }: Pick<RequestScope, 'env'>,
  id: string,
): DurableObjectStub<UploadSession> {
  return getDurableObject(env, 'UPLOAD_SESSION', id);
}

export async function requireSession({ caller, request }: Context, id: string): Promise<SessionView> {
  const view = SESSION_ID_PATTERN.test(id)
    ? await getSessionStub(request, id).view(toOwnerKey(caller))
    : null;
  if (!view) throw sessionNotFoundError(id);
  return view;
}
