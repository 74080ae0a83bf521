import { type Import, listImports, listValueImports, type Sources } from './imports.ts';

/**
 * Maps each module to the modules that it imports, including type imports. A module is a folder in `src/`, or a file
 * directly in it. Imports of tables are left out, because any module may import tables, and tables import only tables.
 */
export type ModuleGraph = ReadonlyMap<string, ReadonlySet<string>>;

function getModule(path: string): string {
  const parts = path.split('/').slice(1);
  return parts.length === 1 ? (parts[0] ?? '') : parts.slice(0, -1).join('/');
}

export function buildModuleGraph(sources: Sources): ModuleGraph {
  const modules = new Map([...sources.keys()].map((path) => [getModule(path), new Set<string>()]));
  for (const { from, to } of listModuleImports(sources)) modules.get(getModule(from))?.add(getModule(to));
  return modules;
}

function listModuleImports(sources: Sources): Import[] {
  return listImports(sources).filter(({ from, to }) => getModule(from) !== getModule(to) && !isTable(to));
}

export function isTable(path: string): boolean {
  return path.startsWith('src/schema/');
}

export function checkTables(sources: Sources): string[] {
  return listImports(sources)
    .filter(({ from, to }) => isTable(from) && !isTable(to))
    .map(({ from, to, line }) => `${from}:${line}  imports ${to}; a table can import only tables`);
}

/** Reports the imports that form the shortest cycle in each group of modules that import each other. */
export function checkModules(sources: Sources): string[] {
  const imports = listModuleImports(sources);
  return findCycles(buildModuleGraph(sources)).flatMap((cycle) => {
    const path = [...cycle, cycle[0]].join(' → ');
    return cycle.map((module, index) => {
      const next = cycle[(index + 1) % cycle.length];
      const { from, to, line } = imports.find(
        (each) => getModule(each.from) === module && getModule(each.to) === next,
      ) as Import;
      return `${from}:${line}  imports ${to} and closes a cycle of modules (${path}); move shared code into a module below them`;
    });
  });
}

/** Rejects import cycles between files, because their load order depends on which file is imported first. */
export function checkFiles(sources: Sources): string[] {
  return findCycles(listValueImports(sources)).map(
    (cycle) => `${cycle[0]}:1  is in a cycle of files: ${[...cycle, cycle[0]].join(' → ')}`,
  );
}

/** Finds the shortest cycle in each group of modules that all import each other, directly or indirectly. */
export function findCycles(modules: ModuleGraph): string[][] {
  const cycles: string[][] = [];
  const reported = new Set<string>();
  for (const module of modules.keys()) {
    if (reported.has(module) || findShortestPath(modules, module, module) === null) continue;
    const cycleModules = [...modules.keys()].filter(
      (other) =>
        findShortestPath(modules, module, other) !== null &&
        findShortestPath(modules, other, module) !== null,
    );
    for (const each of cycleModules) reported.add(each);
    const paths = cycleModules.map((each) => findShortestPath(modules, each, each) ?? []);
    cycles.push(paths.reduce((shortest, path) => (path.length < shortest.length ? path : shortest)));
  }
  return cycles;
}

/** Leaves out `end`. Returns null if there is no path. */
function findShortestPath(modules: ModuleGraph, start: string, end: string): string[] | null {
  const paths = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of modules.get(path.at(-1) ?? '') ?? []) {
      if (next === end) return path;
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return null;
}
