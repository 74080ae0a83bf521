// What the form of a new meeting runs beside the frame: it shows who can take part and what they do at that time.
import './app.ts';
import { showAddress } from './filters.ts';

const ASKED = ['projectId', 'find-project-projectId', 'date', 'time', 'minutes'];

/** The rules to choose from depend on the day, in the same order. */
const rules = () => document.querySelector<HTMLSelectElement>('.new-meeting [name="recurrence"]');

async function checkTimes(form: HTMLFormElement) {
  const said = new FormData(form);
  const query = new URLSearchParams(ASKED.map((name) => [name, String(said.get(name) ?? '')]));
  let chosen = 0;
  const isShown = await showAddress(`${location.pathname}?${query}`, {
    form,
    // What else was typed is not sent yet.
    isUnchanged: () => false,
    enter: (address) => {
      history.replaceState(history.state, '', address);
      const list = rules();
      if (!list) return;
      chosen = list.selectedIndex;
      list.selectedIndex = 0;
    },
  });
  const list = rules();
  if (list && chosen > 0) list.selectedIndex = chosen;
  if (!isShown) return;
  // The list has what was found.
  for (const each of form.querySelectorAll<HTMLInputElement>('[name^="find-"]:not([aria-invalid])'))
    each.value = '';
}

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) && !(target instanceof HTMLSelectElement)) return;
  const { form, name } = target;
  if (form?.matches('.new-meeting') && ASKED.includes(name)) void checkTimes(form);
});
