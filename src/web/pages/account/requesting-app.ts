import type { RequestScope } from '../../../kernel/operation/request-scope.ts';
import { findClient } from '../../../oauth/clients/clients.ts';
import { OAuthError } from '../../../oauth/protocol/oauth-error.ts';

/** Returns the name of the app that sent the person to the sign-in page, or null if there is none. */
export async function findRequestingApp(scope: RequestScope, next: string): Promise<string | null> {
  const { pathname, searchParams } = new URL(next, scope.origin);
  const id = searchParams.get('client_id');
  if (pathname !== '/api/oauth/authorize' || !id) return null;
  try {
    return (await findClient(scope, id)).name;
  } catch (error) {
    // The authorization endpoint will report the error after sign-in.
    if (error instanceof OAuthError) return null;
    throw error;
  }
}
