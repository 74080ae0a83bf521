import './app.ts';
import { showPageAt } from './filters.ts';
import { enterScreenUrl } from './screen-url.ts';

const AVAILABILITY_FIELDS = ['projectId', 'find-project-projectId', 'date', 'time', 'minutes'];

const findRecurrenceSelect = () =>
  document.querySelector<HTMLSelectElement>('.new-meeting [name="recurrence"]');

async function checkAvailability(form: HTMLFormElement) {
  const formData = new FormData(form);
  const query = new URLSearchParams(
    AVAILABILITY_FIELDS.map((name) => [name, String(formData.get(name) ?? '')]),
  );
  let selectedIndex = 0;
  const isShown = await showPageAt(`${location.pathname}?${query}`, {
    form,
    isUnchanged: () => false,
    enter: (address) => {
      enterScreenUrl(address);
      const list = findRecurrenceSelect();
      if (!list) return;
      selectedIndex = list.selectedIndex;
      list.selectedIndex = 0;
    },
  });
  const list = findRecurrenceSelect();
  if (list && selectedIndex > 0) list.selectedIndex = selectedIndex;
  if (!isShown) return;
  for (const each of form.querySelectorAll<HTMLInputElement>('[name^="find-"]:not([aria-invalid])'))
    each.value = '';
}

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) && !(target instanceof HTMLSelectElement)) return;
  const { form, name } = target;
  if (form?.matches('.new-meeting') && AVAILABILITY_FIELDS.includes(name)) void checkAvailability(form);
});
