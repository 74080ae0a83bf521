// Builds the web app's scripts, styles and icons, and the guides at /docs. Wrangler runs this before each build, and
// `npm test` before the tests.
import { buildGuides } from './assets/guides.ts';
import { buildWebApp } from './assets/web-app.ts';

buildWebApp({ guides: buildGuides() });
