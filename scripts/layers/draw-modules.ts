import type { ModuleGraph } from './modules.ts';

/**
 * Draws the modules in layers, the highest first. A module is one layer above the highest module that it imports. After
 * each module come its imports, without those that another of them already imports. The modules must have no cycle.
 */
export function drawModules(rooms: ModuleGraph): string {
  const layers = new Map<string, number>();
  const reached = new Map<string, Set<string>>();
  for (const room of rooms.keys()) measure(room);
  const top = Math.max(...layers.values());
  const lines: string[] = [];
  for (let layer = top; layer >= 0; layer -= 1) {
    const members = [...rooms.keys()].filter((room) => layers.get(room) === layer).sort();
    members.forEach((room, index) => {
      lines.push(`${index === 0 ? String(layer).padStart(2) : '  '}  ${describe(room)}`);
    });
  }
  return [...lines, `${rooms.size} rooms in ${top + 1} layers`].join('\n');

  function measure(room: string): { layer: number; all: Set<string> } {
    const known = { layer: layers.get(room), all: reached.get(room) };
    if (known.layer !== undefined && known.all) return { layer: known.layer, all: known.all };
    const below = [...(rooms.get(room) ?? [])].map(measure);
    const layer = Math.max(-1, ...below.map((each) => each.layer)) + 1;
    const all = new Set([...(rooms.get(room) ?? []), ...below.flatMap((each) => [...each.all])]);
    layers.set(room, layer);
    reached.set(room, all);
    return { layer, all };
  }

  function describe(room: string): string {
    const imported = [...(rooms.get(room) ?? [])].sort();
    const shown = imported.filter(
      (each) => !imported.some((other) => other !== each && reached.get(other)?.has(each)),
    );
    return shown.length === 0 ? room : `${room} → ${shown.join(', ')}`;
  }
}
