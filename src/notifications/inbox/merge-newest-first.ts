interface DatedItem {
  readonly id: number;
  readonly created_at: number;
}

/** Compares only the first remaining item of each list, so that every list keeps its order even if clocks differ. */
export function mergeNewestFirst<T extends DatedItem>(lists: readonly (readonly T[])[]): T[] {
  const positions = lists.map(() => 0);
  const merged: T[] = [];
  for (;;) {
    let newest: T | undefined;
    let from = -1;
    lists.forEach((list, index) => {
      const head = list[positions[index] ?? 0];
      if (head && (!newest || isNewer(head, newest))) {
        newest = head;
        from = index;
      }
    });
    if (!newest) return merged;
    merged.push(newest);
    positions[from] = (positions[from] ?? 0) + 1;
  }
}

function isNewer(a: DatedItem, b: DatedItem): boolean {
  return a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at;
}
