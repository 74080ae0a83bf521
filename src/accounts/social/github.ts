import { GitHub } from 'arctic';
import * as z from 'zod';
import type { OAuthClientCredentials } from '../../kernel/operation/config.ts';
import type { SocialProvider } from './social-provider.ts';

const GITHUB_API_URL = 'https://api.github.com';
const RESPONSE_TIMEOUT_MS = 5_000;

const githubProfile = z.object({
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function createGitHubProvider(client: OAuthClientCredentials, redirectUri: string): SocialProvider {
  const github = new GitHub(client.id, client.secret, redirectUri);
  return {
    begin: (state) => github.createAuthorizationURL(state, ['read:user', 'user:email']),
    async finish(code) {
      const token = (await github.validateAuthorizationCode(code)).accessToken();
      const [person, addresses] = await Promise.all([
        fetchFromGitHub('/user', token, githubProfile),
        fetchFromGitHub('/user/emails', token, githubEmails),
      ]);
      const primary = addresses.find((each) => each.primary && each.verified);
      if (!primary) return null;
      return { email: primary.email, name: person.name ?? person.login, image: person.avatar_url ?? null };
    },
  };
}

async function fetchFromGitHub<T>(path: string, token: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`${GITHUB_API_URL}${path}`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json', 'User-Agent': 'Edgework' },
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`GitHub returned ${answer.status} for ${path}`);
  return schema.parse(await answer.json());
}
