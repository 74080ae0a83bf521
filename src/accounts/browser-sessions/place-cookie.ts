import { getCookie, setCookie } from 'hono/cookie';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { isSameSecret, signText } from '../../kernel/secrets/sign-text.ts';
import { getCookieOptions, SESSION_SECONDS } from './browser-session.ts';

const COOKIE = 'ew_place';

/** The cell of a workspace, and the numbers of the workspace and the member in it. */
export interface KnownPlace {
  readonly cell: number;
  readonly workspace: number;
  readonly member: number;
}

/** Remembers a place that was checked. Browsers send the cookie only below the address of the workspace. */
export function setPlaceCookie(c: HttpContext, idHash: string, caller: Caller): void {
  const { workspaceId } = caller;
  const text = `${caller.cell}.${caller.workspace}.${caller.member}`;
  const { config } = c.get('scope');
  setCookie(c, COOKIE, `${text}.${signPlace(config.sessionSecret, { idHash, workspaceId, text })}`, {
    ...getCookieOptions(c.get('scope')),
    path: `/app/${workspaceId}`,
    maxAge: SESSION_SECONDS,
  });
}

/**
 * The place that this browser session had when it opened the workspace. The session may have ended since, and the
 * membership too. Null for a cookie that this deployment didn't set.
 */
export function readPlaceCookie(c: HttpContext, idHash: string, workspaceId: string): KnownPlace | null {
  const { cells, sessionSecret } = c.get('scope').config;
  const [, text = '', signature = ''] = /^(\d+\.\d+\.\d+)\.([\w-]+)$/.exec(getCookie(c, COOKIE) ?? '') ?? [];
  if (!isSameSecret(signPlace(sessionSecret, { idHash, workspaceId, text }), signature)) return null;
  const [cell = -1, workspace = -1, member = -1] = text.split('.').map(Number);
  return cells.has(cell) ? { cell, workspace, member } : null;
}

function signPlace(secret: string, signed: { idHash: string; workspaceId: string; text: string }): string {
  return signText(secret, `place ${signed.idHash} ${signed.workspaceId} ${signed.text}`);
}
