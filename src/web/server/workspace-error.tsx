import { readAsMember, runAsVisitor } from '../../accounts/browser-sessions/visitor.ts';
import type { AppError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { assets } from '../page-model/assets.ts';
import type { AnyPage, Visit } from '../page-model/page.ts';
import {
  copyErrorHeaders,
  ErrorContent,
  getErrorMessage,
  getErrorTitle,
  sendErrorPage,
  toPageStatus,
} from './error-page.tsx';
import { listFrameReads, selectFrameAnswers } from './frame-reads.ts';
import { ExpiredFormError } from './page-form.ts';
import { sendPage } from './page-response.ts';
import { buildVisit } from './visit.ts';
import { type FrameAnswers, WorkspaceFrame } from './workspace-frame.tsx';

export function sendWorkspaceErrorPage(
  c: HttpContext,
  error: AppError,
  {
    visit,
    frame,
    page,
    typed,
  }: { visit: Visit; frame: FrameAnswers; page?: AnyPage; typed?: URLSearchParams | undefined },
): Promise<Response> {
  copyErrorHeaders(c, error);
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  const title = getErrorTitle(error);
  const errorPage = (
    // Loads the script and styles of the failed page so that a refresh can display that page.
    <WorkspaceFrame
      title={title}
      visit={visit}
      frame={frame}
      script={assets[page?.script ?? 'app']}
      hasCommonStyles={page?.hasCommonStyles}
      isProblem
    >
      <ErrorContent
        title={title}
        message={getErrorMessage(error)}
        recoveryLink={[visit.base, 'Back to My work']}
        typed={typed}
      />
    </WorkspaceFrame>
  );
  return sendPage(c, errorPage, toPageStatus(error), { hasScript: true });
}

export async function handleWorkspaceError(c: HttpContext, error: AppError): Promise<Response> {
  // The navigation would query the database, which the rate limit protects.
  if (error.code === 'rate_limited') return sendErrorPage(c, error);
  const { pathname, search } = new URL(c.req.url);
  const workspaceId = /^\/app\/([^/]+)/.exec(pathname)?.[1] ?? '';
  return runAsVisitor(c, workspaceId, async (visitor) => {
    if (visitor.outcome === 'signed_out') return sendErrorPage(c, error);
    const { browser } = visitor;
    if (visitor.outcome === 'not_a_member') return sendErrorPage(c, error, { browser });
    const { caller, results } = await readAsMember(c, visitor, () => listFrameReads(c));
    const frame = selectFrameAnswers(c, results);
    const visit = buildVisit(c, { browser, caller, address: pathname + search, timer: frame.timer });
    const typed = error instanceof ExpiredFormError ? error.form : undefined;
    return sendWorkspaceErrorPage(c, error, { visit, frame, typed });
  });
}
