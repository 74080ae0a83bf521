import './app.ts';
import { enablePickers } from './pickers.ts';
import { enableQuickAdd, findQuickAddForm, type QuickAddForm } from './quick-add.ts';
import { readPreview } from './quick-add-preview.ts';

const DEBOUNCE_MS = 120;

enableQuickAdd();
enablePickers();

let timer: ReturnType<typeof setTimeout> | undefined;

interface PreviewedForm extends QuickAddForm {
  readonly understood: HTMLElement;
}

function findPreviewedForm(): PreviewedForm | null {
  const quickAdd = findQuickAddForm(document.querySelector('form.previewed'));
  const understood = document.getElementById('understood');
  return quickAdd && understood ? { ...quickAdd, understood } : null;
}

async function showPreview(form: PreviewedForm) {
  if (form.field.value.trim() === '') return form.understood.replaceChildren();
  const nodes = await readPreview(() => findPreviewedForm()?.form);
  if (nodes) findPreviewedForm()?.understood.replaceChildren(...nodes);
}

document.addEventListener('input', ({ target }) => {
  const previewed = findPreviewedForm();
  if (!previewed || !(target instanceof Node) || !previewed.form.contains(target)) return;
  for (const problem of previewed.form.querySelectorAll('.problem, .alert')) problem.remove();
  previewed.field.removeAttribute('aria-invalid');
  clearTimeout(timer);
  timer = setTimeout(() => void showPreview(previewed), DEBOUNCE_MS);
});
document.addEventListener('reset', ({ target }) => {
  const previewed = findPreviewedForm();
  if (previewed && target === previewed.form) previewed.understood.replaceChildren();
});
for (const event of ['edgework:morphed', 'edgework:settled'])
  document.addEventListener(event, () => {
    const previewed = findPreviewedForm();
    if (previewed) void showPreview(previewed);
  });
