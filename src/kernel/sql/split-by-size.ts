export function splitBySize<T>(items: readonly T[], sizeOf: (item: T) => number, sizeMax: number): T[][] {
  const parts: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const more = sizeOf(item);
    if (size + more > sizeMax) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(item);
    size += more;
  }
  return parts;
}
