import './app.ts';
import { enablePickers } from './pickers.ts';
import { enableQuickAdd, findQuickAdd, type QuickAdd } from './quick-add.ts';
import { readPreview } from './quick-add-preview.ts';

const DEBOUNCE_MS = 120;

enableQuickAdd();
enablePickers();

let timer: ReturnType<typeof setTimeout> | undefined;

interface PreviewedQuickAdd extends QuickAdd {
  readonly understood: HTMLElement;
}

function findPreviewedQuickAdd(): PreviewedQuickAdd | null {
  const found = findQuickAdd(document.querySelector('form.previewed'));
  const understood = document.getElementById('understood');
  return found && understood ? { ...found, understood } : null;
}

async function showPreview(asked: PreviewedQuickAdd) {
  if (asked.field.value.trim() === '') return asked.understood.replaceChildren();
  const nodes = await readPreview(() => findPreviewedQuickAdd()?.form);
  if (nodes) findPreviewedQuickAdd()?.understood.replaceChildren(...nodes);
}

document.addEventListener('input', ({ target }) => {
  const found = findPreviewedQuickAdd();
  if (!found || !(target instanceof Node) || !found.form.contains(target)) return;
  for (const problem of found.form.querySelectorAll('.problem, .alert')) problem.remove();
  found.field.removeAttribute('aria-invalid');
  clearTimeout(timer);
  timer = setTimeout(() => void showPreview(found), DEBOUNCE_MS);
});
document.addEventListener('reset', ({ target }) => {
  const found = findPreviewedQuickAdd();
  if (found && target === found.form) found.understood.replaceChildren();
});
for (const event of ['edgework:morphed', 'edgework:settled'])
  document.addEventListener(event, () => {
    const found = findPreviewedQuickAdd();
    if (found) void showPreview(found);
  });
