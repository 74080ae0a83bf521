/** Fields whose module is loaded or on its way. */
const begun = new WeakSet<HTMLElement>();

/**
 * Loads the module that a field names as soon as somebody enters the field, or opens what it is in. Without it the field goes
 * on as the browser has it.
 */
export function loadModules() {
  document.addEventListener('focusin', ({ target }) => void begin(target));
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open)
        void begin(target.querySelector('[data-module]'));
    },
    { capture: true },
  );
  void begin(document.activeElement);
}

async function begin(field: EventTarget | null) {
  if (!(field instanceof HTMLElement) || field.dataset.module === undefined || begun.has(field)) return;
  begun.add(field);
  try {
    const module: { enter: (field: HTMLElement) => void } = await import(field.dataset.module);
    module.enter(field);
  } catch {
    // No network: the next time it is entered.
    begun.delete(field);
  }
}
