import { enableNameSuggestions } from './name-suggestions.ts';

let isEnabled = false;

export function enhanceField(entered: HTMLElement) {
  if (!isEnabled) enableNameFields();
  isEnabled = true;
  if (entered instanceof HTMLInputElement && entered.value !== entered.defaultValue)
    entered.dispatchEvent(new Event('input', { bubbles: true }));
}

function enableNameFields() {
  enableNameSuggestions<HTMLInputElement>({
    findField: (target) =>
      target instanceof HTMLInputElement && target.dataset.finds !== undefined ? target : null,
    readSearchText: ({ value }) => value.trim() || null,
    getUrl: ({ dataset }) => dataset.finds ?? '',
    onSelect: (field, { value }) => {
      field.value = value;
      if (field.form?.dataset.auto !== undefined) field.form.requestSubmit();
    },
  });
}
