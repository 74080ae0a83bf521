const begun = new WeakSet<HTMLElement>();

/** Loads a field's module on first focus, or when its section is opened. */
export function loadModules() {
  document.addEventListener('focusin', ({ target }) => void loadModule(target));
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open)
        void loadModule(target.querySelector('[data-module]'));
    },
    { capture: true },
  );
  void loadModule(document.activeElement);
}

async function loadModule(field: EventTarget | null) {
  if (!(field instanceof HTMLElement) || field.dataset.module === undefined || begun.has(field)) return;
  begun.add(field);
  try {
    const module: { enter: (field: HTMLElement) => void } = await import(field.dataset.module);
    module.enter(field);
  } catch {
    // Allows a retry on the next focus.
    begun.delete(field);
  }
}
