/**
 * Tags that differ only in case count as the same tag. SQLite lowercases only ASCII letters, so the Worker computes
 * the keys.
 */
export function toLabelKey(tag: string): string {
  return tag.toLowerCase();
}

export function toLabelKeys(tags: string): string {
  return JSON.stringify((JSON.parse(tags) as string[]).map(toLabelKey));
}
