import type * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { signSessionToken } from '../credentials/session-token.ts';
import type { loginResult, me } from './sessions.schema.ts';

export type SignedInPerson = Pick<
  Caller,
  'userId' | 'email' | 'name' | 'image' | 'role' | 'cell' | 'workspaceId' | 'workspaceName' | 'plan'
>;

export async function buildSessionResult(
  scope: RequestScope,
  person: SignedInPerson,
  signedInAt: number | null = null,
): Promise<z.input<typeof loginResult>> {
  const { token, expiresAt } = await signSessionToken(
    { secret: scope.config.sessionSecret, issuer: scope.origin },
    person,
    scope.now,
    signedInAt ?? scope.now,
  );
  return { token, expiresAt: toTimestamp(expiresAt), user: toProfile(person) };
}

export function toProfile(person: SignedInPerson): z.input<typeof me> {
  return {
    id: person.userId,
    email: person.email,
    name: person.name,
    image: person.image,
    role: person.role,
    workspace: { id: person.workspaceId, name: person.workspaceName, plan: person.plan },
  };
}
