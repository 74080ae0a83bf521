import type { Config } from '../../kernel/operation/config.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { createGitHubProvider } from './github.ts';
import { createGoogleProvider } from './google.ts';

export const providerNames = { github: 'GitHub', google: 'Google' } as const;
export type ProviderId = keyof typeof providerNames;

export interface SocialProfile {
  readonly email: string;
  readonly name: string | null;
  readonly image: string | null;
}

export interface SocialProvider {
  begin(state: string, verifier: string): URL;
  /**
   * Returns null if the person's main address isn't verified. Throws if the provider rejects the code or doesn't
   * respond.
   */
  finish(code: string, verifier: string): Promise<SocialProfile | null>;
}

export function listConfiguredProviders(config: Config): ProviderId[] {
  return (['github', 'google'] as const).filter((id) => config[id] !== null);
}

export function createSocialProvider({ config, origin }: RequestScope, id: string): SocialProvider | null {
  const redirectUri = `${origin}/sign-in/${id}/callback`;
  if (id === 'github' && config.github) return createGitHubProvider(config.github, redirectUri);
  if (id === 'google' && config.google) return createGoogleProvider(config.google, redirectUri);
  return null;
}
