/**
 * Tags that differ only in case are the same label. SQLite folds only ASCII letters, so the Worker computes the keys.
 */
export function toLabelKey(tag: string): string {
  return tag.toLowerCase();
}

export function toLabelKeys(tags: string): string {
  return JSON.stringify((JSON.parse(tags) as string[]).map(toLabelKey));
}
