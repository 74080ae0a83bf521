// Builds what the worker and its pages need beside the source: the web app's scripts, styles and icons, and the guides at
// /docs. Wrangler runs it before each build, `npm test` and the tests of the worker before they begin.
import { buildGuides } from './assets/guides.ts';
import { buildWebApp } from './assets/web-app.ts';

buildWebApp({ guides: buildGuides() });
