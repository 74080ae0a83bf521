interface KeyBuffer {
  readonly take: () => string;
  readonly isCanceled: () => boolean;
  readonly isEntered: () => boolean;
}

/** Collects keys while a picker or dialog loads, so that they trigger no shortcuts. Escape and Tab keep it closed. */
export function bufferKeys(): KeyBuffer {
  let text = '';
  let isCanceled = false;
  let isEntered = false;
  const bufferKey = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'Escape' || key === 'Tab') {
      isCanceled = true;
      take();
      if (key === 'Tab') return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (key === 'Backspace') text = text.slice(0, -1);
    else if (key === 'Enter') isEntered = true;
    else if (key.length === 1 && !isEntered) text += key;
  };
  const take = () => {
    document.removeEventListener('keydown', bufferKey, { capture: true });
    return text;
  };
  document.addEventListener('keydown', bufferKey, { capture: true });
  return { take, isCanceled: () => isCanceled, isEntered: () => isEntered };
}
