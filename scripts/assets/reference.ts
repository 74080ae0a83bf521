import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../databases.ts';
import { writeIfNew } from './write.ts';

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n`;

/** Copies Swagger UI, and writes what starts it. */
export function buildReference(): void {
  const target = join(root, '.wrangler', 'assets', 'reference');
  mkdirSync(target, { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const [from, to] = [join(source, name), join(target, name)];
    if (!existsSync(to) || statSync(to).size !== statSync(from).size) copyFileSync(from, to);
  }
  writeIfNew(join(target, 'start.js'), start);
}
