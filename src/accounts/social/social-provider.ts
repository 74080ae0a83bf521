import type { Config } from '../../kernel/operation/config.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { githubProvider } from './github.ts';
import { googleProvider } from './google.ts';

export const providerNames = { github: 'GitHub', google: 'Google' } as const;
export type ProviderId = keyof typeof providerNames;

export interface SocialPerson {
  readonly email: string;
  readonly name: string | null;
  readonly image: string | null;
}

export interface SocialProvider {
  /** `verifier` is for PKCE, if supported. */
  begin(state: string, verifier: string): URL;
  /** Returns null if the provider has no verified address. Throws if it rejects the code or doesn't respond. */
  finish(code: string, verifier: string): Promise<SocialPerson | null>;
}

export function configuredProviders(config: Config): ProviderId[] {
  return (['github', 'google'] as const).filter((id) => config[id] !== null);
}

export function openProvider({ config, origin }: RequestScope, id: string): SocialProvider | null {
  const redirectUri = `${origin}/sign-in/${id}/callback`;
  if (id === 'github' && config.github) return githubProvider(config.github, redirectUri);
  if (id === 'google' && config.google) return googleProvider(config.google, redirectUri);
  return null;
}
