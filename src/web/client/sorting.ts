// Loaded when a pointer first moves on a page with sortable lists.

import Sortable from 'sortablejs/modular/sortable.core.esm.js';
import type { SortingOptions } from './drag.ts';

export function enableSorting({ lists, items, isSorted, onDrop, remember, cancel }: SortingOptions) {
  const sortableLists = new WeakSet<Element>();
  makeListsSortable();
  document.addEventListener('edgework:morphed', makeListsSortable);
  document.addEventListener('keydown', cancelOnEscape, { capture: true });

  function cancelOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !Sortable.dragged) return;
    event.stopPropagation();
    cancel();
    document.dispatchEvent(new PointerEvent('pointerup'));
  }

  function makeListsSortable() {
    for (const list of document.querySelectorAll<HTMLElement>(lists)) {
      if (sortableLists.has(list)) continue;
      sortableLists.add(list);
      Sortable.create(list, {
        group: lists,
        draggable: `${lists} > ${items}`,
        forceFallback: true,
        fallbackTolerance: 4,
        delay: 150,
        delayOnTouchOnly: true,
        animation: 90,
        sort: isSorted(),
        onStart: ({ item }) => remember(item),
        onEnd: ({ item, from, to, oldIndex, newIndex }) => {
          ignoreNextClick();
          if (from !== to || oldIndex !== newIndex) onDrop(item, from);
        },
      });
    }
  }
}

/** Firefox would click the link of an item that is dropped under the pointer. The click follows in the same task. */
function ignoreNextClick() {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', ignore, { capture: true });
  setTimeout(() => document.removeEventListener('click', ignore, { capture: true }));
}
