import type { Sources } from './imports.ts';
import { isTable } from './rooms.ts';

/*
 * Statements name a table through its declaration, so that a renamed table or column does not compile. What `src/schema/`
 * declares is therefore never a word of a template.
 */

const DECLARED = /sqliteTable\(\s*'(\w+)'/g;
const NAMED = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/g;

export function checkTableNames(sources: Sources): string[] {
  const tables = new Set(
    [...sources]
      .filter(([path]) => isTable(path))
      .flatMap(([, text]) => [...text.matchAll(DECLARED)].map((match) => match[1])),
  );
  return [...sources]
    .filter(([path]) => path.endsWith('.queries.ts'))
    .flatMap(([path, text]) =>
      [...text.matchAll(NAMED)]
        .filter((match) => tables.has(match[1]))
        .map((match) => {
          const line = text.slice(0, match.index).split('\n').length;
          return `${path}:${line}  spells ${match[1]}; name it through its declaration`;
        }),
    );
}
