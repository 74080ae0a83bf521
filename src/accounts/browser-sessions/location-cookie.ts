import { getCookie, setCookie } from 'hono/cookie';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { isSameSecret, signText } from '../../kernel/secrets/sign-text.ts';
import { getCookieOptions, SESSION_LIFETIME_SECONDS } from './browser-session.ts';

const LOCATION_COOKIE = 'ew_place';

export interface MembershipLocation {
  readonly cell: number;
  readonly workspace: number;
  readonly member: number;
}

export function setLocationCookie(c: HttpContext, idHash: string, caller: Caller): void {
  const { workspaceId } = caller;
  const text = `${caller.cell}.${caller.workspace}.${caller.member}`;
  const { config } = c.get('scope');
  setCookie(
    c,
    LOCATION_COOKIE,
    `${text}.${signLocation(config.sessionSecret, { idHash, workspaceId, text })}`,
    {
      ...getCookieOptions(c.get('scope')),
      path: `/app/${workspaceId}`,
      maxAge: SESSION_LIFETIME_SECONDS,
    },
  );
}

/**
 * Returns null if the cookie is missing or forged, or if its cell isn't bound. The session or the membership may have
 * ended since the cookie was set.
 */
export function readLocationCookie(
  c: HttpContext,
  idHash: string,
  workspaceId: string,
): MembershipLocation | null {
  const { cells, sessionSecret } = c.get('scope').config;
  const [, text = '', signature = ''] =
    /^(\d+\.\d+\.\d+)\.([\w-]+)$/.exec(getCookie(c, LOCATION_COOKIE) ?? '') ?? [];
  if (!isSameSecret(signLocation(sessionSecret, { idHash, workspaceId, text }), signature)) return null;
  const [cell = -1, workspace = -1, member = -1] = text.split('.').map(Number);
  return cells.has(cell) ? { cell, workspace, member } : null;
}

function signLocation(secret: string, signed: { idHash: string; workspaceId: string; text: string }): string {
  return signText(secret, `place ${signed.idHash} ${signed.workspaceId} ${signed.text}`);
}
