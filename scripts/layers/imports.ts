import { posix } from 'node:path';

/** The files of `src/`: path and text. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

const SPECIFIER = /\bfrom\s+['"](\.[^'"]+)['"]|\bimport\s*\(?\s*['"](\.[^'"]+)['"]/g;

/** Every import of one source by another, of types too. */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    text.split('\n').flatMap((line, index) => {
      if (/^\s*(\/\/|\/?\*)/.test(line)) return [];
      return [...line.matchAll(SPECIFIER)].map((match) => ({
        from,
        to: posix.join(posix.dirname(from), match[1] ?? match[2] ?? ''),
        line: index + 1,
      }));
    }),
  );
}

/** Biome turns an import that takes types alone into `import type`. */
const OF_VALUES = /^(?:import|export)\s+(?!type\s)(?:[^;'"]*?\bfrom\s+)?['"](\.[^'"]+)['"]/gm;

/** The files that each file loads before itself: without types, and without what it imports on demand. */
export function valuesOf(sources: Sources): Map<string, Set<string>> {
  return new Map(
    [...sources].map(([from, text]) => {
      const loaded = [...text.matchAll(OF_VALUES)].map(([, path = '']) => path);
      return [from, new Set(loaded.map((path) => posix.join(posix.dirname(from), path)))];
    }),
  );
}

/** The files that define operations, by a call of `operation(…)`. */
export function operationFiles(sources: Sources): Set<string> {
  const calling = [...sources].filter(([, text]) => /(?<!function )\boperation\(\s*\{/.test(text));
  return new Set(calling.map(([path]) => path));
}
