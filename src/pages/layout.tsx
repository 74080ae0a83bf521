import type { PropsWithChildren } from 'hono/jsx';
import type { HttpContext } from '../kernel/http.ts';

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The frame of every page. */
export function Layout({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <a class="brand" href="/">
            Edgework
          </a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

type PageStatus = 200 | 400 | 429 | 500;

/** Answers a page: no script, no frame, nothing from elsewhere. */
export async function answerPage(c: HttpContext, page: unknown, status: PageStatus = 200): Promise<Response> {
  c.header('Content-Security-Policy', PAGE_POLICY);
  return c.html(`<!doctype html>${String(await page)}`, status);
}
