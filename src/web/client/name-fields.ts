// Fields that complete names: a module of its own that a page loads when somebody enters the first of them.
import { completeNames } from './complete-names.ts';

let isBegun = false;

/** Completes names in fields beside lists that do not hold everything. The server takes a name there as well. */
export function enter(entered: HTMLElement) {
  if (!isBegun) completeNamesOfFields();
  isBegun = true;
  // What was typed before this was loaded is asked for now.
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
