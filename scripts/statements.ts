// `npm run statements` writes every SQL statement of the service into docs/statements, with its query plan.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './databases.ts';
import { collectStatements } from './statements/collect.ts';
import { renderStatements } from './statements/render.ts';

const folder = join(root, 'docs', 'statements');
const pages = renderStatements(await collectStatements());
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of pages) writeFileSync(join(folder, file), text);
console.log(`${pages.size} files written to docs/statements.`);
process.exit(0);
