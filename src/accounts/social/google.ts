import { decodeIdToken, Google } from 'arctic';
import * as z from 'zod';
import type { OAuthClientCredentials } from '../../kernel/operation/config.ts';
import type { SocialProvider } from './social-provider.ts';

const issuers = ['https://accounts.google.com', 'accounts.google.com'];

const idTokenClaims = z.object({
  iss: z.enum(issuers),
  aud: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
});

export function createGoogleProvider(client: OAuthClientCredentials, redirectUri: string): SocialProvider {
  const google = new Google(client.id, client.secret, redirectUri);
  return {
    begin: (state, verifier) =>
      google.createAuthorizationURL(state, verifier, ['openid', 'email', 'profile']),
    async finish(code, verifier) {
      const tokens = await google.validateAuthorizationCode(code, verifier);
      // The token came from the token endpoint over TLS, so its signature needs no check (OpenID Connect Core 3.1.3.7).
      const person = idTokenClaims.parse(decodeIdToken(tokens.idToken()));
      if (person.aud !== client.id) throw new Error('Google returned an ID token for another client');
      if (!person.email || person.email_verified !== true) return null;
      return { email: person.email, name: person.name ?? null, image: person.picture ?? null };
    },
  };
}
