// Copies what the API reference at /docs needs into the folder of static assets. Wrangler runs it before each build.
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './databases.ts';

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const target = join(root, '.wrangler', 'assets', 'reference');
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n`;

mkdirSync(target, { recursive: true });
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  const [from, to] = [join(source, name), join(target, name)];
  if (!existsSync(to) || statSync(to).size !== statSync(from).size) copyFileSync(from, to);
}
const startPath = join(target, 'start.js');
if (!existsSync(startPath) || readFileSync(startPath, 'utf8') !== start) writeFileSync(startPath, start);
