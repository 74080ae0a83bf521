import type { Sources } from './imports.ts';
import { isTable } from './modules.ts';

// SQL must refer to tables through their declarations in `src/schema/`, so that renaming a table or column causes
// compile errors.

const TABLE_DECLARATION_PATTERN = /sqliteTable\(\s*'(\w+)'/g;
const TABLE_NAME_PATTERN = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)|\bsql\.raw\('(\w+)'\)/g;

export function checkTableNames(sources: Sources): string[] {
  const tables = new Set(
    [...sources]
      .filter(([path]) => isTable(path))
      .flatMap(([, text]) => [...text.matchAll(TABLE_DECLARATION_PATTERN)].map((match) => match[1])),
  );
  return [...sources]
    .filter(([path]) => path.endsWith('.queries.ts'))
    .flatMap(([path, text]) =>
      [...text.matchAll(TABLE_NAME_PATTERN)]
        .map((match) => ({ index: match.index, name: match[1] ?? match[2] ?? '' }))
        .filter(({ name }) => tables.has(name))
        .map(({ index, name }) => {
          const line = text.slice(0, index).split('\n').length;
          return `${path}:${line}  contains the table name ${name}; use the table's declaration`;
        }),
    );
}
