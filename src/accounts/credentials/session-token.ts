import { sign, verify } from 'hono/jwt';
import * as z from 'zod';

const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000;
const TOKEN_AUDIENCE = 'edgework';

export interface SessionIssuer {
  readonly secret: string;
  readonly previousSecret?: string | null;
  readonly issuer: string;
}

export interface SessionSubject {
  readonly userId: string;
  readonly workspaceId: string;
  readonly cell: number;
}

export interface SessionToken {
  readonly token: string;
  readonly expiresAt: number;
}

const tokenClaims = z.object({
  sub: z.string(),
  wid: z.string(),
  cell: z.int().min(0),
  iat: z.int(),
  exp: z.int(),
  /** The time of the first sign-in, in seconds with decimals. Refreshed tokens keep this value. */
  auth_time: z.number().optional(),
  jti: z.string(),
});

/** The token is valid for seven days. To refresh a token, pass the time of its first sign-in as `signedInAt`. */
export async function signSessionToken(
  { secret, issuer }: SessionIssuer,
  { userId, workspaceId, cell }: SessionSubject,
  now: number,
  signedInAt = now,
): Promise<SessionToken> {
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = issuedAt + SESSION_LIFETIME_MS / 1000;
  const token = await sign(
    {
      sub: userId,
      wid: workspaceId,
      cell,
      iat: issuedAt,
      exp: expiresAt,
      auth_time: signedInAt / 1000,
      jti: crypto.randomUUID(),
      iss: issuer,
      aud: TOKEN_AUDIENCE,
    },
    secret,
    'HS256',
  );
  return { token, expiresAt: expiresAt * 1000 };
}

export async function verifySessionToken(
  { secret, previousSecret, issuer }: SessionIssuer,
  token: string,
  now: number,
): Promise<(SessionSubject & { expiresAt: number; signedInAt: number }) | null> {
  const payload =
    (await readSignedClaims(token, secret, issuer)) ??
    (previousSecret ? await readSignedClaims(token, previousSecret, issuer) : null);
  const parsed = tokenClaims.safeParse(payload);
  if (!parsed.success || parsed.data.exp * 1000 <= now) return null;
  const { sub, wid, cell, iat, exp, auth_time = iat } = parsed.data;
  const signedInAt = Math.round(auth_time * 1000);
  return { userId: sub, workspaceId: wid, cell, expiresAt: exp * 1000, signedInAt };
}

async function readSignedClaims(token: string, secret: string, issuer: string): Promise<unknown> {
  try {
    // Clocks differ between machines, so a token issued in the future is accepted. The caller checks `exp`.
    return await verify(token, secret, {
      alg: 'HS256',
      iss: issuer,
      aud: TOKEN_AUDIENCE,
      iat: false,
      exp: false,
    });
  } catch {
    return null;
  }
}
