// Name fields with suggestions. Pages load this module on first focus.
import { completeNames } from './complete-names.ts';

let isBegun = false;

/** Suggests names in search fields. The server accepts a typed name as well. */
export function enter(entered: HTMLElement) {
  if (!isBegun) completeNamesOfFields();
  isBegun = true;
  // Look up what was typed before this loaded.
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
