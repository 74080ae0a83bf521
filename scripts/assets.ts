// Builds the static assets: the web app's scripts, styles and icons, and what the API reference at /docs needs. Wrangler
// runs it before each build, `npm test` and the tests of the worker before they begin.
import { buildReference } from './assets/reference.ts';
import { buildWebApp } from './assets/web-app.ts';

buildReference();
buildWebApp();
