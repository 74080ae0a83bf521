// What "My work" runs beside the frame: the line that adds a task says what it means while it is typed.
import './app.ts';

const TYPED_MS = 120;

let timer: ReturnType<typeof setTimeout> | undefined;
/** What is on its way. */
let sent: string | null = null;
/** What was typed meanwhile. It waits until what was sent is taken. */
let waiting = '';

interface Line {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
  readonly understood: HTMLElement;
}

function line(): Line | null {
  const form = document.querySelector<HTMLFormElement>('form.of-mine');
  const field = form?.querySelector<HTMLInputElement>('input[name="name"]');
  const understood = document.getElementById('understood');
  return form && field && understood ? { form, field, understood } : null;
}

/** The line, if that is what the event is about. */
function lineOf(target: EventTarget | null): Line | null {
  const found = line();
  return target instanceof Node && found?.form.contains(target) ? found : null;
}

function addressOf({ form }: Line): string {
  const said = new FormData(form);
  const query = ['name', 'projectId'].map((name) => [name, String(said.get(name) ?? '')]);
  return `${form.action}?${new URLSearchParams(query)}`;
}

async function show(asked: Line) {
  if (asked.field.value.trim() === '') return asked.understood.replaceChildren();
  const address = addressOf(asked);
  const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  const html = answer?.ok && !answer.redirected ? await answer.text() : '';
  const now = line();
  // The answer to what is not said any more.
  if (!now || addressOf(now) !== address) return;
  const found = new DOMParser().parseFromString(html, 'text/html').getElementById('understood');
  now.understood.replaceChildren(...(found?.childNodes ?? []));
}

/** What was sent did not arrive, or was refused: it comes back into the field. */
function takeBack({ field }: Line) {
  if (sent !== null && field.value !== sent) {
    waiting = field.value;
    field.value = sent;
  }
  sent = null;
}

document.addEventListener('input', ({ target }) => {
  const found = lineOf(target);
  if (!found) return;
  for (const problem of found.form.querySelectorAll('.problem, .alert')) problem.remove();
  found.field.removeAttribute('aria-invalid');
  clearTimeout(timer);
  timer = setTimeout(() => void show(found), TYPED_MS);
});

document.addEventListener('submit', ({ target }) => {
  const found = lineOf(target);
  if (!found) return;
  sent = found.field.value;
  // Whoever goes on typing writes the next one in its place.
  found.field.select();
});

// It was taken, and the field becomes empty.
document.addEventListener('reset', ({ target }) => {
  const found = lineOf(target);
  if (!found) return;
  if (sent !== null && found.field.value !== sent) waiting = found.field.value;
  sent = null;
  found.understood.replaceChildren();
});

document.addEventListener('edgework:morphed', () => {
  const found = line();
  if (!found) return;
  const { form, field } = found;
  if (form.querySelector('.problem')) takeBack(found);
  else if (waiting !== '' && field.value === '') {
    field.value = waiting;
    waiting = '';
  }
  void show(found);
});

document.addEventListener('edgework:unsent', (event) => {
  const found = lineOf((event as CustomEvent<EventTarget>).detail);
  if (found) takeBack(found);
});
