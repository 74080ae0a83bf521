interface DragOptions {
  lists: string;
  items: string;
  isSorted: () => boolean;
  drop: (item: HTMLElement, from: Element) => void;
  putBack?: (item: HTMLElement, from: Element) => void;
}

export interface SortingOptions extends Omit<DragOptions, 'putBack'> {
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

export function enableDragging({ putBack, ...options }: DragOptions) {
  // A refresh moves items to their stored positions, so no drag is left to undo.
  document.addEventListener('edgework:morphed', () => {
    dragOrigin = null;
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
  loadOnFirstPointer({
    ...options,
    remember: rememberPosition,
    cancel: () => dragOrigin && moveItemBack(dragOrigin),
  });
}

/** SortableJS reads the pointer's position every 50 ms. */
const REPEAT_MS = 60;
const pointerEvents = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

function repeatEvent(event: PointerEvent, shift = 0) {
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

async function repeatDrag([press, move]: readonly PointerEvent[]) {
  if (press) repeatEvent(press);
  if (!move) return;
  // The first move only starts a drag, and the module ignores a pointer that doesn't move.
  for (const shift of [0, 1, 0, 1]) {
    repeatEvent(move, shift);
    await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
  }
}

/** The module that sorts lists is half of a board's script, so it loads when a pointer first moves. */
function loadOnFirstPointer(options: SortingOptions) {
  let state: 'unloaded' | 'loading' | 'failed' = 'unloaded';
  /** The pointer events to repeat once the module has loaded: a press and its latest move. */
  let missed: PointerEvent[] = [];
  const follow = (event: PointerEvent) => {
    // A page that loads below a resting mouse also gets a `pointermove`.
    const isResting = event.movementX === 0 && event.movementY === 0;
    if (event.type === 'pointermove' && isResting) return;
    const isOnList = event.target instanceof Element && event.target.closest(options.lists) !== null;
    if (event.type === 'pointerdown') missed = isOnList ? [event] : [];
    else if (event.type === 'pointermove') missed = missed.slice(0, 1).concat(missed.length > 0 ? event : []);
    else missed = [];
    // A failed import is repeated only for the next press.
    if (state === 'unloaded' || (state === 'failed' && event.type === 'pointerdown')) void load();
  };
  const load = async () => {
    state = 'loading';
    const address = document.querySelector<HTMLElement>('[data-sorting]')?.dataset.sorting ?? '';
    try {
      const module: { enableSorting: (options: SortingOptions) => void } = await import(address);
      module.enableSorting(options);
      for (const name of pointerEvents) document.removeEventListener(name, follow);
      await repeatDrag(missed);
    } catch {
      state = 'failed';
    }
  };
  for (const name of pointerEvents) document.addEventListener(name, follow);
}
