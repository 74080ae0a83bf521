import Sortable from 'sortablejs/modular/sortable.core.esm.js';

interface DragOptions {
  lists: string;
  items: string;
  isSorted: () => boolean;
  drop: (item: HTMLElement, from: Element) => void;
  putBack?: (item: HTMLElement, from: Element) => void;
}

let dragOrigin: { item: HTMLElement; list: Element; next: Element | null } | null = null;

/** Moves the item back before the drag ends, so that no move is saved. */
function cancelOnEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || !Sortable.dragged || !dragOrigin) return;
  event.stopPropagation();
  moveItemBack(dragOrigin);
  document.dispatchEvent(new PointerEvent('pointerup'));
}

function moveItemBack({ item, list, next }: NonNullable<typeof dragOrigin>) {
  list.insertBefore(item, next?.parentElement === list ? next : null);
}

export function rememberPosition(item: HTMLElement) {
  if (item.parentElement) dragOrigin = { item, list: item.parentElement, next: item.nextElementSibling };
}

export function enableDragging({ lists, items, isSorted, drop, putBack }: DragOptions) {
  const wired = new WeakSet<Element>();
  makeListsSortable();
  document.addEventListener('keydown', cancelOnEscape, { capture: true });
  // A refresh moves items to their stored positions, so no drag is left to undo. It can also add lists.
  document.addEventListener('edgework:morphed', () => {
    dragOrigin = null;
    makeListsSortable();
  });
  document.addEventListener('edgework:unsent', () => {
    if (!dragOrigin) return;
    const { item, list, next } = dragOrigin;
    const from = item.parentElement;
    if (from !== list || item.nextElementSibling !== next) {
      moveItemBack(dragOrigin);
      if (from) putBack?.(item, from);
    }
    dragOrigin = null;
  });

  function makeListsSortable() {
    for (const list of document.querySelectorAll<HTMLElement>(lists)) {
      if (wired.has(list)) continue;
      wired.add(list);
      Sortable.create(list, {
        group: lists,
        draggable: `${lists} > ${items}`,
        forceFallback: true,
        fallbackTolerance: 4,
        delay: 150,
        delayOnTouchOnly: true,
        animation: 90,
        sort: isSorted(),
        onStart: ({ item }) => rememberPosition(item),
        onEnd: ({ item, from, to, oldIndex, newIndex }) => {
          if (from !== to || oldIndex !== newIndex) drop(item, from);
        },
      });
    }
  }
}
