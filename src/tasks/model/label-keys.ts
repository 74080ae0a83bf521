/** Tags that differ only in case are the same label. The Worker folds them, because SQLite folds only ASCII letters. */
export function toLabelKey(tag: string): string {
  return tag.toLowerCase();
}

/** `tags` and the result are JSON, as in the columns `tags` and `label_keys`. */
export function toLabelKeys(tags: string): string {
  return JSON.stringify((JSON.parse(tags) as string[]).map(toLabelKey));
}
