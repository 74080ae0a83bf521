import { type Import, listImports, listValueImports, type Sources } from './imports.ts';

/**
 * Maps each module to the modules that it imports, including type imports. A module is a folder in `src/`, or a file
 * directly in it. Tables are left out, because any module may import them and they only import other tables.
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

/** Reports the shortest cycle in each group of modules, with one import per step. */
export function checkModules(sources: Sources): string[] {
  const arrows = listModuleImports(sources);
  return findCycles(buildModuleGraph(sources)).flatMap((circle) => {
    const way = [...circle, circle[0]].join(' → ');
    return circle.map((module, index) => {
      const next = circle[(index + 1) % circle.length];
      const { from, to, line } = arrows.find(
        (each) => getModule(each.from) === module && getModule(each.to) === next,
      ) as Import;
      return `${from}:${line}  imports ${to} and closes a cycle of modules (${way}); move shared code into a module below them`;
    });
  });
}

/** Rejects import cycles between files, because their load order depends on which file is imported first. */
export function checkFiles(sources: Sources): string[] {
  return findCycles(listValueImports(sources)).map(
    (circle) => `${circle[0]}:1  is in a cycle of files: ${[...circle, circle[0]].join(' → ')}`,
  );
}

/** Finds the shortest cycle in each group of modules that all import each other, directly or indirectly. */
export function findCycles(modules: ModuleGraph): string[][] {
  const circles: string[][] = [];
  const reported = new Set<string>();
  for (const module of modules.keys()) {
    if (reported.has(module) || findShortestPath(modules, module, module) === null) continue;
    const knot = [...modules.keys()].filter(
      (other) =>
        findShortestPath(modules, module, other) !== null &&
        findShortestPath(modules, other, module) !== null,
    );
    for (const each of knot) reported.add(each);
    const ways = knot.map((each) => findShortestPath(modules, each, each) ?? []);
    circles.push(ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest)));
  }
  return circles;
}

/** Returns the modules on the shortest path, excluding its end, or null if there is no path. */
function findShortestPath(modules: ModuleGraph, start: string, end: string): string[] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of modules.get(way.at(-1) ?? '') ?? []) {
      if (next === end) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
