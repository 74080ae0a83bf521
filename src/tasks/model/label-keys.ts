/**
 * Tags that differ only in case are the same label. SQLite folds only ASCII letters, so the Worker computes the keys.
 */
export function toLabelKey(tag: string): string {
  return tag.toLowerCase();
}

/** Takes and returns JSON, as in the columns `tags` and `label_keys`. */
export function toLabelKeys(tags: string): string {
  return JSON.stringify((JSON.parse(tags) as string[]).map(toLabelKey));
}
