import { posix } from 'node:path';

export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

const IMPORT_PATTERN = /\bfrom\s+['"](\.[^'"]+)['"]|\bimport\s*\(?\s*['"](\.[^'"]+)['"]/g;

export function listImports(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    text.split('\n').flatMap((line, index) => {
      if (/^\s*(\/\/|\/?\*)/.test(line)) return [];
      return [...line.matchAll(IMPORT_PATTERN)].map((match) => ({
        from,
        to: posix.join(posix.dirname(from), match[1] ?? match[2] ?? ''),
        line: index + 1,
      }));
    }),
  );
}

/** Matches imports and re-exports of values. Biome writes type-only imports as `import type`. */
const VALUE_IMPORT_PATTERN = /^(?:import|export)\s+(?!type\s)(?:[^;'"]*?\bfrom\s+)?['"](\.[^'"]+)['"]/gm;

/** Returns the files that each file loads at startup. Leaves out types and dynamic imports. */
export function listValueImports(sources: Sources): Map<string, Set<string>> {
  return new Map(
    [...sources].map(([from, text]) => {
      const loaded = [...text.matchAll(VALUE_IMPORT_PATTERN)].map(([, path = '']) => path);
      return [from, new Set(loaded.map((path) => posix.join(posix.dirname(from), path)))];
    }),
  );
}

export function findOperationFiles(sources: Sources): Set<string> {
  const calling = [...sources].filter(([, text]) => /(?<!function )\bdefineOperation\(\s*\{/.test(text));
  return new Set(calling.map(([path]) => path));
}
