import * as z from 'zod';
import type { HttpContext } from '../../kernel/http/http.ts';
import { HOME_PATH } from '../browser-sessions/return-path.ts';
import { setSignedValue, takeSignedValue } from '../browser-sessions/signed-cookie.ts';
import { toEmailKey } from './accounts.queries.ts';
import { VERIFICATION_HOURS } from './verification-link.ts';

/** A cookie is limited to 4 KB. A longer path is replaced with the home page. */
const RETURN_PATH_CHARACTERS_MAX = 1_800;

const signUp = z.object({ emailKey: z.string(), next: z.string() });

/**
 * Remembers in this browser who signed up, so that verifying the address here also signs them in. In any other browser,
 * someone else may have chosen the password.
 */
export function rememberSignUp(c: HttpContext, { email, next }: { email: string; next: string }) {
  const remembered = {
    emailKey: toEmailKey(email),
    next: next.length > RETURN_PATH_CHARACTERS_MAX ? HOME_PATH : next,
  };
  return setSignedValue(c, 'sign_up', remembered, VERIFICATION_HOURS * 60 * 60);
}

/** Returns the path at which the person continues, or null if this person didn't sign up in this browser. */
export async function takeSignUp(c: HttpContext, email: string): Promise<string | null> {
  const remembered = signUp.safeParse(await takeSignedValue(c, 'sign_up'));
  return remembered.success && remembered.data.emailKey === toEmailKey(email) ? remembered.data.next : null;
}
