// Builds the web app's scripts, styles and icons, the guides at /docs, and the API client. Wrangler runs this before
// each build, and `npm test` before the tests.
import { buildClient } from './assets/client.ts';
import { buildGuides } from './assets/guides.ts';
import { buildWebApp } from './assets/web-app.ts';

buildWebApp({ guides: buildGuides() });
buildClient();
