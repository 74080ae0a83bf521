import type { PickTarget } from '../pickers.ts';
import { setControl } from './chips.ts';
import { type MenuSpec, openMenu } from './menu.ts';

/** Selects several values of a filter, which is applied after each choice. */
export function openFilterValues(
  target: PickTarget,
  control: NonNullable<PickTarget['control']>,
  { list, ...spec }: Omit<MenuSpec, 'choose' | 'isMultiple'>,
) {
  let selected = control.value.split(',').filter((value) => value !== '');
  const labels = new Map<string, string>();
  openMenu(target, {
    ...spec,
    isMultiple: true,
    list: (text) =>
      list(text)
        .filter(({ value }) => value !== '' && !value.includes(','))
        .map((choice) => {
          labels.set(choice.value, choice.label);
          return { ...choice, isCurrent: selected.includes(choice.value) };
        }),
    choose: ({ value }) => {
      selected = selected.includes(value) ? selected.filter((each) => each !== value) : [...selected, value];
      setControl(control, {
        value: selected.join(','),
        label: selected.map((each) => labels.get(each) ?? each).join(', '),
      });
    },
  });
}
