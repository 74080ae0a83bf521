import { type Import, importsOf, type Sources, valuesOf } from './imports.ts';

/**
 * Rooms are the folders of `src/`; a file next to them joins them and is a room of its own. Which rooms each
 * one imports, types included: a type that points upwards ties two rooms together as a value does. A table ties nothing:
 * statements of any room may name its columns, and it imports nothing but tables itself.
 */
export type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

function roomOf(path: string): string {
  const parts = path.split('/').slice(1);
  return parts.length === 1 ? (parts[0] ?? '') : parts.slice(0, -1).join('/');
}

export function roomsOf(sources: Sources): Rooms {
  const rooms = new Map([...sources.keys()].map((path) => [roomOf(path), new Set<string>()]));
  for (const { from, to } of arrowsOf(sources)) rooms.get(roomOf(from))?.add(roomOf(to));
  return rooms;
}

function arrowsOf(sources: Sources): Import[] {
  return importsOf(sources).filter(({ from, to }) => roomOf(from) !== roomOf(to) && !isTable(to));
}

export function isTable(path: string): boolean {
  return path.startsWith('src/schema/');
}

export function checkTables(sources: Sources): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => isTable(from) && !isTable(to))
    .map(({ from, to, line }) => `${from}:${line}  imports ${to}; a table imports nothing but tables`);
}

/** Of every knot of rooms the shortest circle, told at one import of each of its arrows. */
export function checkRooms(sources: Sources): string[] {
  const arrows = arrowsOf(sources);
  return circlesOf(roomsOf(sources)).flatMap((circle) => {
    const way = [...circle, circle[0]].join(' → ');
    return circle.map((room, index) => {
      const next = circle[(index + 1) % circle.length];
      const { from, to, line } = arrows.find(
        (each) => roomOf(each.from) === room && roomOf(each.to) === next,
      ) as Import;
      return `${from}:${line}  imports ${to} and closes a circle of rooms (${way}); what both need belongs into a room below them`;
    });
  });
}

/** In a circle of files, the order of loading depends on which one is imported first. */
export function checkFiles(sources: Sources): string[] {
  return circlesOf(valuesOf(sources)).map(
    (circle) => `${circle[0]}:1  is in a circle of files: ${[...circle, circle[0]].join(' → ')}`,
  );
}

/** Of each knot, whose rooms all reach each other, the shortest circle. */
export function circlesOf(rooms: Rooms): string[][] {
  const circles: string[][] = [];
  const told = new Set<string>();
  for (const room of rooms.keys()) {
    if (told.has(room) || shortestWay(rooms, room, room) === null) continue;
    const knot = [...rooms.keys()].filter(
      (other) => shortestWay(rooms, room, other) !== null && shortestWay(rooms, other, room) !== null,
    );
    for (const each of knot) told.add(each);
    const ways = knot.map((each) => shortestWay(rooms, each, each) ?? []);
    circles.push(ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest)));
  }
  return circles;
}

/** The rooms from one to another, the last one left out; null where there is no way. */
function shortestWay(rooms: Rooms, start: string, end: string): string[] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of rooms.get(way.at(-1) ?? '') ?? []) {
      if (next === end) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
