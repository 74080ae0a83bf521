interface DragOptions {
  lists: string;
  items: string;
  isSorted: () => boolean;
  onDrop: (item: HTMLElement, from: Element) => void;
  onRestore?: (item: HTMLElement, from: Element) => void;
}

export interface SortingOptions extends Omit<DragOptions, 'onRestore'> {
  readonly remember: (item: HTMLElement) => void;
  /** Moves the item back before the drag ends, so that no move is saved. */
  readonly cancel: () => void;
}

let dragOrigin: { item: HTMLElement; list: Element; next: Element | null } | null = null;

function moveItemBack({ item, list, next }: NonNullable<typeof dragOrigin>) {
  list.insertBefore(item, next?.parentElement === list ? next : null);
}

export function rememberPosition(item: HTMLElement) {
  if (item.parentElement) dragOrigin = { item, list: item.parentElement, next: item.nextElementSibling };
}

export function enableDragging({ onRestore, ...options }: DragOptions) {
  document.addEventListener('edgework:morphed', () => {
    dragOrigin = null;
  });
  document.addEventListener('edgework:unsent', () => {
    if (!dragOrigin) return;
    const { item, list, next } = dragOrigin;
    const from = item.parentElement;
    if (from !== list || item.nextElementSibling !== next) {
      moveItemBack(dragOrigin);
      if (from) onRestore?.(item, from);
    }
    dragOrigin = null;
  });
  loadSortingOnFirstPointer({
    ...options,
    remember: rememberPosition,
    cancel: () => dragOrigin && moveItemBack(dragOrigin),
  });
}

/** SortableJS reads the pointer's position every 50 ms, so replayed events must be further apart. */
const REPLAY_INTERVAL_MS = 60;
const pointerEvents = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

function replayEvent(event: PointerEvent, shift = 0) {
  const init = { bubbles: true, cancelable: true, composed: true };
  const { button, buttons, clientX, clientY, pointerId, pointerType, isPrimary } = event;
  const copy = {
    ...init,
    button,
    buttons,
    clientX: clientX + shift,
    clientY,
    pointerId,
    pointerType,
    isPrimary,
  };
  event.target?.dispatchEvent(new PointerEvent(event.type, copy));
}

async function replayDrag([press, move]: readonly PointerEvent[]) {
  if (press) replayEvent(press);
  if (!move) return;
  // SortableJS ignores a pointer that doesn't move, and uses the first move only to start a drag.
  for (const shift of [0, 1, 0, 1]) {
    replayEvent(move, shift);
    await new Promise((resolve) => setTimeout(resolve, REPLAY_INTERVAL_MS));
  }
}

/** The module that sorts lists is half of a board's script, so it loads when a pointer first moves. */
function loadSortingOnFirstPointer(options: SortingOptions) {
  let state: 'unloaded' | 'loading' | 'failed' = 'unloaded';
  let missedEvents: PointerEvent[] = [];
  const handlePointer = (event: PointerEvent) => {
    // Browsers also send a `pointermove` if a page loads under a resting mouse.
    const isResting = event.movementX === 0 && event.movementY === 0;
    if (event.type === 'pointermove' && isResting) return;
    const isOnList = event.target instanceof Element && event.target.closest(options.lists) !== null;
    if (event.type === 'pointerdown') missedEvents = isOnList ? [event] : [];
    else if (event.type === 'pointermove')
      missedEvents = missedEvents.slice(0, 1).concat(missedEvents.length > 0 ? event : []);
    else missedEvents = [];
    // After a failed import, tries again only on the next press.
    if (state === 'unloaded' || (state === 'failed' && event.type === 'pointerdown')) void load();
  };
  const load = async () => {
    state = 'loading';
    const address = document.querySelector<HTMLElement>('[data-sorting]')?.dataset.sorting ?? '';
    try {
      const module: { enableSorting: (options: SortingOptions) => void } = await import(address);
      module.enableSorting(options);
      for (const name of pointerEvents) document.removeEventListener(name, handlePointer);
      await replayDrag(missedEvents);
    } catch {
      state = 'failed';
    }
  };
  for (const name of pointerEvents) document.addEventListener(name, handlePointer);
}
