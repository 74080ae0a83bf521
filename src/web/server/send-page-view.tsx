import type { HttpContext } from '../../kernel/http/http.ts';
import { buildEntityTag, matchesEntityTag } from '../../kernel/operation/entity-tag.ts';
import { assets } from '../page-model/assets.ts';
import type { RejectedForm, Visit } from '../page-model/page.ts';
import type { PageMatch } from './match-page.ts';
import { type PageStatus, sendHtml } from './page-response.ts';
import { type FrameAnswers, WorkspaceFrame } from './workspace-frame.tsx';

export async function sendPageView(
  c: HttpContext,
  { page, params }: PageMatch,
  visit: Visit,
  answers: Record<string, unknown>,
  status: PageStatus,
): Promise<Response> {
  const props = { visit, params, answers } as never;
  const frame = answers as unknown as FrameAnswers;
  const render = async (detachedForm?: RejectedForm) =>
    String(
      await (
        <WorkspaceFrame
          title={page.title(props)}
          visit={visit}
          frame={frame}
          script={assets[page.script ?? 'app']}
          hasCommonStyles={page.hasCommonStyles}
          hasTaskPanel={page.hasTaskPanel}
          detachedForm={detachedForm}
        >
          {page.view(props)}
        </WorkspaceFrame>
      ),
    );
  const { rejected } = visit;
  const rendered = await render();
  // If the page no longer contains the form, the form's error is displayed above the content.
  const isErrorShown = rejected === null || /role="alert"|aria-invalid="true"/.test(rendered);
  const html = `<!doctype html>${isErrorShown ? rendered : await render(rejected)}`;
  const tag = buildEntityTag(html, visit.caller);
  const cachedTags = c.req.header('If-None-Match');
  c.header('ETag', tag);
  // Scripts on the page can read this header. The ETag doesn't cover it, so a new `seq` alone doesn't change the ETag.
  if (frame.seq !== null) c.header('Server-Timing', `seq;desc=${frame.seq}`);
  c.header('Speculation-Rules', '"/speculation-rules.json"');
  // Disconnects the page from the window that opened it. Sign-in pages stay connected, as apps open them in popups.
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  if (status === 200 && cachedTags !== undefined && matchesEntityTag(cachedTags, tag)) {
    c.header('Cache-Control', 'no-store');
    return c.body(null, 304);
  }
  return sendHtml(c, html, status, { hasScript: true });
}
