import { readPreview } from './quick-add-preview.ts';

const DEBOUNCE_MS = 120;

/** Shows the details of the task while they are typed. Details follow a comma. */
export function enhanceField(field: HTMLInputElement) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showPreview = async () => {
    const understood = field.form?.querySelector('.understood');
    if (!field.value.includes(',')) return understood?.replaceChildren();
    const nodes = await readPreview(() => field.form ?? undefined);
    if (nodes) understood?.replaceChildren(...nodes);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void showPreview(), DEBOUNCE_MS);
  });
  field.form?.addEventListener('reset', () => void setTimeout(showPreview));
  for (const event of ['edgework:morphed', 'edgework:settled'])
    document.addEventListener(event, () => void showPreview());
  // People may type before this module has loaded.
  void showPreview();
}
