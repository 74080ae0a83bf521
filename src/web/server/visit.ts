import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { Visit } from '../page-model/page.ts';
import { readAppearance } from './appearance.ts';
import type { FrameAnswers } from './workspace-frame.tsx';

interface VisitOptions {
  readonly browser: SignedInBrowser;
  readonly caller: Caller;
  readonly address: string;
  readonly timer: FrameAnswers['timer'];
}

export function buildVisit(c: HttpContext, { browser, caller, address, timer }: VisitOptions): Visit {
  return {
    browser,
    caller,
    base: `/app/${caller.workspaceId}`,
    origin: c.get('scope').origin,
    address,
    today: getToday(c, caller),
    now: c.get('scope').now,
    timedTask: timer?.taskId ?? null,
    theme: readAppearance(c).theme,
    rejected: null,
    secret: null,
    flash: null,
    names: new Map(),
    references: { tasks: new Map(), images: new Set(), filesUrl: null },
  };
}

export function getToday(c: HttpContext, caller: Caller): string {
  return toWallClock(c.get('scope').now, caller.timezone).date;
}
