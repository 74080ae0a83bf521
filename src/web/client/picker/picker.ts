import type { PickerTarget } from '../pickers.ts';
import { enableUnsavedWarnings } from '../unsaved-changes.ts';
import { getControlLabel, listOptionChoices, searchOptions, showChipValue } from './chips.ts';
import { openDatePicker } from './date-picker.ts';
import { openFilterMenu } from './filter-menu.ts';
import { openFilterValueMenu } from './filter-values.ts';
import { openMenu } from './menu.ts';
import { listPersonChoices, searchPeople } from './people.ts';
import { listPriorityChoices } from './priorities.ts';
import { enableRollback, saveChoice } from './save-choice.ts';
import { openTagPicker } from './tags.ts';

export { showChipValue };

let stylesLoaded: Promise<unknown> | null = null;

enableUnsavedWarnings();
enableRollback();

export function openPicker(target: PickerTarget) {
  const { field, control } = target;
  if (field === 'filter') openFilterMenu(target, openPicker);
  else if (field === 'deadline' || field === 'startDate' || field === 'date') openDatePicker(target);
  else if (field === 'tags') openTagPicker(target);
  else if (control?.closest('[data-multiple]'))
    openFilterValueMenu(target, control, buildFilterMenuOptions(target, control));
  else if (field === 'assignee')
    openMenu(target, {
      label: 'Assignee',
      placeholder: 'Assign to…',
      list: (text) => listPersonChoices(target, text),
      search: searchPeople,
      choose: (choice) => saveChoice(target, 'assigneeId', choice),
    });
  else if (field === 'priority')
    openMenu(target, {
      label: 'Priority',
      placeholder: 'Change priority…',
      list: (text) => listPriorityChoices(target, text),
      choose: (choice) => saveChoice(target, 'priority', choice),
    });
  else if (control)
    openMenu(target, {
      label: getControlLabel(control),
      placeholder: field === 'status' ? 'Change status…' : 'Search…',
      list: (text) => listOptionChoices(target, text),
      search: (text) => searchOptions(control, text),
      choose: (choice) => saveChoice(target, 'status', choice),
    });
}

function buildFilterMenuOptions(target: PickerTarget, control: NonNullable<PickerTarget['control']>) {
  const label = getControlLabel(control);
  const spec = { label, placeholder: `Filter by ${label.toLowerCase()}…` };
  return target.field === 'assignee'
    ? { ...spec, list: (text: string) => listPersonChoices(target, text), search: searchPeople }
    : { ...spec, list: (text: string) => listOptionChoices(target, text) };
}

export function loadStyles(): Promise<unknown> {
  stylesLoaded ??= requestStyles();
  return stylesLoaded;
}

function requestStyles(): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = document.querySelector<HTMLElement>('.pickers')?.dataset.styles ?? '';
  const { promise, resolve } = Promise.withResolvers<unknown>();
  link.onload = resolve;
  link.onerror = resolve;
  document.head.append(link);
  return promise;
}
