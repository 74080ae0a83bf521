import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { OperationRow } from '../../src/api-client/call-operation.ts';
import { pickQueryInput, type Route } from '../../src/kernel/http/route.ts';
import { buildOpenApiDocument } from '../../src/kernel/openapi/openapi.ts';
import { apiDescription, routes } from '../../src/registry.ts';
import { root } from '../databases.ts';
import type { Document } from '../openapi/document.ts';
import { buildClientTypes } from './client-types.ts';
import { writeIfChanged } from './web-app.ts';

export function buildClient(): void {
  const folder = join(root, '.wrangler', 'assets');
  mkdirSync(folder, { recursive: true });
  writeIfChanged(join(folder, 'client.js'), buildScript());
  writeIfChanged(join(folder, 'client.d.ts'), buildTypes());
}

function buildScript(): Uint8Array {
  const table = Object.fromEntries(routes.map((route) => [route.operation.name, toOperationRow(route)]));
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { createClientFromTable } from './create-client.ts';
export { EdgeworkError } from './errors.ts';
export { verifyWebhook } from './verify-webhook.ts';
export const createClient = (options) => createClientFromTable(${JSON.stringify(table)}, options);`,
      resolveDir: join(root, 'src', 'api-client'),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    banner: { js: '// A client of the Edgework API, with types in /client.d.ts. See /docs/client.' },
    write: false,
  });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild wrote no client');
  return file.contents;
}

function toOperationRow(route: Route): OperationRow {
  const { method, path, operation, body } = route;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const inQuery = hasBody ? Object.keys(pickQueryInput(route).shape).join(' ') : '';
  const kind =
    body === 'bytes'
      ? 'bytes'
      : operation.access === 'public'
        ? 'public'
        : 'cursor' in operation.input.shape
          ? 'pages'
          : undefined;
  if (kind) return [method, path, inQuery, kind];
  return inQuery ? [method, path, inQuery] : [method, path];
}

function buildTypes(): string {
  // The types don't depend on the server's URL, so the URL is left empty.
  const document = buildOpenApiDocument(routes, apiDescription, '') as unknown as Document;
  const operations = routes.map((route) => {
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`The document has no operation ${route.operation.name}`);
    return { operation, isPaged: toOperationRow(route)[3] === 'pages' };
  });
  return buildClientTypes(document, operations);
}
