import type { PickerTarget } from '../pickers.ts';
import { setControlValue } from './chips.ts';
import { type MenuOptions, openMenu } from './menu.ts';

export function openFilterValueMenu(
  target: PickerTarget,
  control: NonNullable<PickerTarget['control']>,
  { list, ...spec }: Omit<MenuOptions, 'choose' | 'isMultiple'>,
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
      setControlValue(control, {
        value: selected.join(','),
        label: selected.map((each) => labels.get(each) ?? each).join(', '),
      });
    },
  });
}
