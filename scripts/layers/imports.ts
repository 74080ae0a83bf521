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

/** The files that hold operations: whoever calls `operation(…)`. */
export function operationFiles(sources: Sources): Set<string> {
  const calling = [...sources].filter(([, text]) => /(?<!function )\boperation\(\s*\{/.test(text));
  return new Set(calling.map(([path]) => path));
}
