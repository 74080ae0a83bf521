import { Hono } from 'hono';
import type { HttpEnv } from '../kernel/http.ts';
import { openApiDocument } from '../kernel/openapi.ts';
import { routes } from '../registry.ts';
import { accountPages } from './account-pages.ts';
import { COPY_SCRIPT_PATH } from './connected-apps.view.tsx';
import { copyScript } from './copy-script.ts';
import { devOutbox } from './dev-outbox.ts';
import { health } from './health.ts';
import { Landing } from './landing.tsx';
import { answerPage } from './layout.tsx';
import { REFERENCE_POLICY, Reference } from './reference.tsx';
import { style } from './style.ts';
import { verifyEmailPages } from './verify-email.tsx';

/** The pages outside of `/v1` that need no credential. */
export const pages = new Hono<HttpEnv>();

pages.get('/', (c) => answerPage(c, <Landing origin={c.get('scope').origin} />));
pages.get('/health', health);
pages.get('/openapi.json', (c) => {
  c.header('Cache-Control', 'public, max-age=300');
  return c.body(openApiText(c.get('scope').origin), 200, { 'Content-Type': 'application/json' });
});
pages.get('/docs', (c) => {
  c.header('Content-Security-Policy', REFERENCE_POLICY);
  return c.html(`<!doctype html>${String(<Reference />)}`);
});
pages.get('/style.css', (c) => {
  c.header('Cache-Control', 'public, max-age=3600');
  return c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' });
});
pages.get(COPY_SCRIPT_PATH, (c) => {
  c.header('Cache-Control', 'public, max-age=3600');
  return c.body(copyScript, 200, { 'Content-Type': 'text/javascript; charset=utf-8' });
});
pages.get('/dev/outbox', devOutbox);
pages.route('/', accountPages);
pages.route('/', verifyEmailPages);

/** Caches one origin: a deployment has only one, and foreign Host headers must not fill the memory. */
let described: { origin: string; text: string } | null = null;

function openApiText(origin: string): string {
  if (described?.origin !== origin) {
    described = { origin, text: JSON.stringify(openApiDocument(routes, origin)) };
  }
  return described.text;
}
