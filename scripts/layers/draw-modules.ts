import type { ModuleGraph } from './modules.ts';

/**
 * Draws the modules in layers, the highest first. A module is one layer above the highest module that it imports.
 * Each module is followed by its imports, except modules that another of its imports already imports. The modules
 * must have no cycle.
 */
export function drawModules(modules: ModuleGraph): string {
  const layers = new Map<string, number>();
  const reached = new Map<string, Set<string>>();
  for (const module of modules.keys()) measure(module);
  const top = Math.max(...layers.values());
  const lines: string[] = [];
  for (let layer = top; layer >= 0; layer -= 1) {
    const members = [...modules.keys()].filter((module) => layers.get(module) === layer).sort();
    members.forEach((module, index) => {
      lines.push(`${index === 0 ? String(layer).padStart(2) : '  '}  ${describe(module)}`);
    });
  }
  return [...lines, `${modules.size} modules in ${top + 1} layers`].join('\n');

  function measure(module: string): { layer: number; all: Set<string> } {
    const known = { layer: layers.get(module), all: reached.get(module) };
    if (known.layer !== undefined && known.all) return { layer: known.layer, all: known.all };
    const below = [...(modules.get(module) ?? [])].map(measure);
    const layer = Math.max(-1, ...below.map((each) => each.layer)) + 1;
    const all = new Set([...(modules.get(module) ?? []), ...below.flatMap((each) => [...each.all])]);
    layers.set(module, layer);
    reached.set(module, all);
    return { layer, all };
  }

  function describe(module: string): string {
    const imported = [...(modules.get(module) ?? [])].sort();
    const shown = imported.filter(
      (each) => !imported.some((other) => other !== each && reached.get(other)?.has(each)),
    );
    return shown.length === 0 ? module : `${module} → ${shown.join(', ')}`;
  }
}
