// What "My work" runs beside the frame: the line that adds a task says what it means while it is typed.
import './app.ts';

const TYPED_MS = 120;

let timer: ReturnType<typeof setTimeout> | undefined;
/** What is on its way. One goes after the other, so that what is refused is known. */
let sent: string | null = null;
/** What the field held when Enter was pressed last. */
let left = '';
/** What Enter was pressed for meanwhile. */
let next: string[] = [];
/** What was typed meanwhile, and comes back into the field as soon as it is empty. */
let waiting: string[] = [];

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

/** Keeps what was typed since the last Enter, which the field does not hold any longer. */
function keepTyped({ field }: Line) {
  if (field.value !== left && field.value.trim() !== '') waiting.push(field.value);
}

/** What was sent did not arrive, or was refused: it comes back into the field, and what came after it waits. */
function takeBack(found: Line, refused: string) {
  const typed = waiting;
  waiting = next;
  keepTyped(found);
  waiting.push(...typed);
  found.field.value = refused;
  next = [];
  sent = null;
}

/** What was sent is taken: what waits comes into the empty field, and goes on if it was asked to. */
function goOn({ form, field }: Line) {
  const following = next.shift();
  if (following !== undefined) {
    field.value = following;
    form.requestSubmit();
  }
  if (next.length === 0 && (following !== undefined || field.value === '')) {
    const [typed] = waiting;
    if (typed === undefined) return;
    waiting.shift();
    field.value = typed;
  }
}

document.addEventListener('input', ({ target }) => {
  const found = lineOf(target);
  if (!found) return;
  for (const problem of found.form.querySelectorAll('.problem, .alert')) problem.remove();
  found.field.removeAttribute('aria-invalid');
  clearTimeout(timer);
  timer = setTimeout(() => void show(found), TYPED_MS);
});

document.addEventListener(
  'submit',
  (event) => {
    const found = lineOf(event.target);
    if (!found) return;
    const { value } = found.field;
    left = value;
    if (sent === null || value === sent) sent = value;
    else {
      event.preventDefault();
      if (value !== next.at(-1)) next.push(value);
    }
    // Whoever goes on typing writes the next one in its place.
    found.field.select();
  },
  { capture: true },
);

// It was taken, and the field becomes empty.
document.addEventListener('reset', ({ target }) => {
  const found = lineOf(target);
  if (!found) return;
  keepTyped(found);
  sent = null;
  found.understood.replaceChildren();
});

document.addEventListener('edgework:morphed', () => {
  const found = line();
  if (!found) return;
  if (sent === null) goOn(found);
  void show(found);
});

document.addEventListener('edgework:settled', () => {
  const found = line();
  if (!found || sent === null || found.form.ariaBusy === 'true') return;
  takeBack(found, sent);
  void show(found);
});
