// Builds the web app's scripts, styles and icons, the guides at /docs, the API client and `ew`. Wrangler runs this
// before each build, and `npm test` before the tests.
import { buildClient } from './assets/client.ts';
import { buildCommandLine } from './assets/command-line.ts';
import { buildGuides } from './assets/guides.ts';
import { buildWebApp } from './assets/web-app.ts';

buildWebApp({ guides: buildGuides() });
buildClient();
buildCommandLine();
