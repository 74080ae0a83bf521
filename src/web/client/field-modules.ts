const loadedFields = new WeakSet<HTMLElement>();

export function enableFieldModules() {
  document.addEventListener('focusin', ({ target }) => void loadFieldModule(target));
  // An editor shows images that are dropped into its text.
  document.addEventListener('dragenter', ({ target }) => void loadFieldModule(target));
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open)
        void loadFieldModule(target.querySelector('[data-module]'));
    },
    { capture: true },
  );
  void loadFieldModule(document.activeElement);
}

async function loadFieldModule(field: EventTarget | null) {
  if (!(field instanceof HTMLElement) || field.dataset.module === undefined || loadedFields.has(field))
    return;
  loadedFields.add(field);
  try {
    const module: { enhanceField: (field: HTMLElement) => void } = await import(field.dataset.module);
    module.enhanceField(field);
  } catch {
    loadedFields.delete(field);
  }
}
