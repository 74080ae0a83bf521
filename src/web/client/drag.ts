import Sortable from 'sortablejs/modular/sortable.core.esm.js';

interface Dragging {
  /** Selector of the lists between which items can be dragged. */
  lists: string;
  items: string;
  isSorted: () => boolean;
  drop: (item: HTMLElement, from: Element) => void;
  putBack?: (item: HTMLElement, from: Element) => void;
}

let origin: { item: HTMLElement; list: Element; next: Element | null } | null = null;

/** Moves the item back before the drag ends, so that nothing is saved. */
function cancelOnEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || !Sortable.dragged || !origin) return;
  event.stopPropagation();
  putBackItem(origin);
  document.dispatchEvent(new PointerEvent('pointerup'));
}

function putBackItem({ item, list, next }: NonNullable<typeof origin>) {
  list.insertBefore(item, next?.parentElement === list ? next : null);
}

export function rememberPlace(item: HTMLElement) {
  if (item.parentElement) origin = { item, list: item.parentElement, next: item.nextElementSibling };
}

export function enableDragging({ lists, items, isSorted, drop, putBack }: Dragging) {
  const wired = new WeakSet<Element>();
  wire();
  document.addEventListener('keydown', cancelOnEscape, { capture: true });
  // Lists survive a refresh, so each is set up once. After a refresh, the server has set the positions.
  document.addEventListener('edgework:morphed', () => {
    origin = null;
    wire();
  });
  document.addEventListener('edgework:unsent', () => {
    if (!origin) return;
    const { item, list, next } = origin;
    const from = item.parentElement;
    if (from !== list || item.nextElementSibling !== next) {
      putBackItem(origin);
      if (from) putBack?.(item, from);
    }
    origin = null;
  });

  function wire() {
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
        onStart: ({ item }) => rememberPlace(item),
        onEnd: ({ item, from, to, oldIndex, newIndex }) => {
          if (from !== to || oldIndex !== newIndex) drop(item, from);
        },
      });
    }
  }
}
