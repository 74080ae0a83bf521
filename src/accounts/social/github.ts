import { GitHub } from 'arctic';
import * as z from 'zod';
import type { ProviderClient } from '../../kernel/operation/config.ts';
import type { SocialProvider } from './social-provider.ts';

const API = 'https://api.github.com';
const ANSWER_MS_MAX = 5_000;

const profile = z.object({ login: z.string(), name: z.string().nullish(), avatar_url: z.string().nullish() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function githubProvider(client: ProviderClient, redirectUri: string): SocialProvider {
  const github = new GitHub(client.id, client.secret, redirectUri);
  return {
    begin: (state) => github.createAuthorizationURL(state, ['read:user', 'user:email']),
    async finish(code) {
      const token = (await github.validateAuthorizationCode(code)).accessToken();
      const [person, addresses] = await Promise.all([
        ask('/user', token, profile),
        ask('/user/emails', token, emails),
      ]);
      const primary = addresses.find((each) => each.primary && each.verified);
      if (!primary) return null;
      return { email: primary.email, name: person.name ?? person.login, image: person.avatar_url ?? null };
    },
  };
}

async function ask<T>(path: string, token: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`${API}${path}`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json', 'User-Agent': 'Edgework' },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  if (!answer.ok) throw new Error(`GitHub returned ${answer.status} for ${path}`);
  return schema.parse(await answer.json());
}
