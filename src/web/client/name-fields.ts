import { completeNames } from './complete-names.ts';

let isBegun = false;

/** Suggests names in search fields. The server also accepts a typed name. */
export function enter(entered: HTMLElement) {
  if (!isBegun) completeNamesOfFields();
  isBegun = true;
  if (entered instanceof HTMLInputElement && entered.value !== entered.defaultValue)
    entered.dispatchEvent(new Event('input', { bubbles: true }));
}

function completeNamesOfFields() {
  completeNames<HTMLInputElement>({
    fieldOf: (target) =>
      target instanceof HTMLInputElement && target.dataset.finds !== undefined ? target : null,
    askedIn: ({ value }) => value.trim() || null,
    addressOf: ({ dataset }) => dataset.finds ?? '',
    take: (field, { value }) => {
      field.value = value;
      if (field.form?.dataset.auto !== undefined) field.form.requestSubmit();
    },
  });
}
