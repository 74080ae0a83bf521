/** Swagger UI draws with inline styles; scripts come from this origin alone. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** The reference; its files are static assets that scripts/assets.ts puts under /reference. */
export function Reference() {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Edgework API reference</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/reference/swagger-ui.css" />
      </head>
      <body>
        <div id="swagger-ui" />
        <noscript>
          The reference needs JavaScript. The same in plain form: <a href="/openapi.json">/openapi.json</a>
        </noscript>
        <script src="/reference/swagger-ui-bundle.js" />
        <script src="/reference/start.js" />
      </body>
    </html>
  );
}
