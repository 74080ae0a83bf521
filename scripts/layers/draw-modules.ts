import type { ModuleGraph } from './modules.ts';

/**
 * Draws the modules in layers, the highest first. A module is one layer above the highest module that it imports. Lists
 * each module's imports after its name, but omits those that it also imports indirectly. The modules must not import
 * each other in a cycle.
 */
export function drawModules(modules: ModuleGraph): string {
  const layers = new Map<string, number>();
  const reached = new Map<string, Set<string>>();
  for (const module of modules.keys()) computeLayer(module);
  const top = Math.max(...layers.values());
  const lines: string[] = [];
  for (let layer = top; layer >= 0; layer -= 1) {
    const members = [...modules.keys()].filter((module) => layers.get(module) === layer).sort();
    members.forEach((module, index) => {
      lines.push(`${index === 0 ? String(layer).padStart(2) : '  '}  ${describeModule(module)}`);
    });
  }
  return [...lines, `${modules.size} modules in ${top + 1} layers`].join('\n');

  function computeLayer(module: string): { layer: number; all: Set<string> } {
    const known = { layer: layers.get(module), all: reached.get(module) };
    if (known.layer !== undefined && known.all) return { layer: known.layer, all: known.all };
    const below = [...(modules.get(module) ?? [])].map(computeLayer);
    const layer = Math.max(-1, ...below.map((each) => each.layer)) + 1;
    const all = new Set([...(modules.get(module) ?? []), ...below.flatMap((each) => [...each.all])]);
    layers.set(module, layer);
    reached.set(module, all);
    return { layer, all };
  }

  function describeModule(module: string): string {
    const imported = [...(modules.get(module) ?? [])].sort();
    const shown = imported.filter(
      (each) => !imported.some((other) => other !== each && reached.get(other)?.has(each)),
    );
    return shown.length === 0 ? module : `${module} → ${shown.join(', ')}`;
  }
}
