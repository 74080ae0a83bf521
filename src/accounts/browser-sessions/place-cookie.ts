import { getCookie, setCookie } from 'hono/cookie';
import type { Caller } from '../../kernel/access/access.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { isSameSecret, signText } from '../../kernel/secrets/sign-text.ts';
import { getCookieOptions, SESSION_SECONDS } from './browser-session.ts';

const COOKIE = 'ew_place';

/** A workspace's cell, and the numbers of the workspace and the member in that cell. */
export interface KnownPlace {
  readonly cell: number;
  readonly workspace: number;
  readonly member: number;
}

/** Stores where a confirmed member's workspace is. Browsers send the cookie only with that workspace's pages. */
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
 * Returns the place that was stored when this session opened the workspace, or null if the cookie is missing or forged.
 * The session or the membership may have ended since then.
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
