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

const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:[^;'"]*?\{([^}]*)\}\s*|[^;'"{]*?)from\s+['"](\.[^'"]+)['"]/gm;

/** The files whose values each file takes as it loads: without types, and without what is imported on demand. */
export function valuesOf(sources: Sources): Map<string, Set<string>> {
  return new Map(
    [...sources].map(([from, text]) => {
      const taken = [...text.matchAll(STATEMENT)].filter(([, type, names]) => !type && !onlyTypes(names));
      return [from, new Set(taken.map((match) => posix.join(posix.dirname(from), match[3] ?? '')))];
    }),
  );
}

function onlyTypes(names: string | undefined): boolean {
  const listed = names?.split(',').filter((name) => name.trim());
  return Boolean(listed?.length && listed.every((name) => /^\s*type\s/.test(name)));
}

/** The files that hold operations: whoever calls `operation(…)`. */
export function operationFiles(sources: Sources): Set<string> {
  const calling = [...sources].filter(([, text]) => /(?<!function )\boperation\(\s*\{/.test(text));
  return new Set(calling.map(([path]) => path));
}
