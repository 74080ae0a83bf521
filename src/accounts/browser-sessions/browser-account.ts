import type { SignedInAccount } from '../../kernel/execute/execute-for-account.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { guardBrowserSession } from './browser-session.queries.ts';
import type { SessionPerson } from './browser-session.ts';

export function toSignedInAccount(
  scope: RequestScope,
  { idHash, person }: { readonly idHash: string; readonly person: SessionPerson },
): SignedInAccount {
  const { id, email, name, image } = person;
  return {
    account: { id, email, name, image },
    sessionHash: idHash,
    guard: guardBrowserSession(idHash, id, scope.now),
  };
}
