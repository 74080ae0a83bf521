import type { RequestScope } from '../../../kernel/operation/request-scope.ts';
import { findClient } from '../../../oauth/clients/clients.ts';
import { OAuthError } from '../../../oauth/protocol/oauth-error.ts';

/** The name of the app for which somebody signs in, if they come from its request; null otherwise. */
export async function appToConnect(scope: RequestScope, next: string): Promise<string | null> {
  const { pathname, searchParams } = new URL(next, scope.origin);
  const id = searchParams.get('client_id');
  if (pathname !== '/api/oauth/authorize' || !id) return null;
  try {
    return (await findClient(scope, id)).name;
  } catch (error) {
    // The authorization endpoint says what is wrong with it, after signing in.
    if (error instanceof OAuthError) return null;
    throw error;
  }
}
