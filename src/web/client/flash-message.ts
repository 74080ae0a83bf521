/** Long enough to read the message and reach its button by keyboard. */
const SHOWN_MS = 12_000;
/** Must equal the value in src/kernel/removals/undo-window.ts. */
const UNDO_MS = 600_000;
const STEPS_MAX = 10;
/** Each tab and workspace has its own steps. */
const KEPT = `edgework:undo:${location.pathname.split('/')[2]}`;
let timer: ReturnType<typeof setTimeout> | undefined;

type Step = readonly [html: string, at: number];

let current = '';

const place = () => document.getElementById('done');

function readSteps(): Step[] {
  try {
    const steps: Step[] = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
    return steps.filter(([, at]) => at > Date.now() - UNDO_MS);
  } catch {
    return [];
  }
}

function keepSteps(steps: readonly Step[]) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(steps.slice(-STEPS_MAX)));
  } catch {
    // Without storage, only the current message can be undone.
  }
}

/** Forgets each step once it is undone. */
export function enableFlashMessage() {
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (!current || !(target instanceof Node) || !place()?.contains(target)) return;
      if (readSteps().at(-1)?.[0] === current) keepSteps(readSteps().slice(0, -1));
      current = '';
    },
    { capture: true },
  );
  announce();
}

export function showFlashMessage(next: Document) {
  place()?.replaceChildren(...(next.getElementById('done')?.childNodes ?? []));
  announce();
}

function announce() {
  const shown = place();
  current = shown?.querySelector('form') ? shown.innerHTML : '';
  if (current) keepSteps([...readSteps(), [current, Date.now()]]);
  hideDoneLater();
}

function hideDoneLater() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (place()?.matches(':hover, :focus-within')) hideDoneLater();
    else {
      place()?.replaceChildren();
      current = '';
    }
  }, SHOWN_MS);
}

/** Undoes the latest step, even of another page, and returns to this page. */
export function undoLatest() {
  const shown = place();
  const [html] = readSteps().at(-1) ?? [];
  if (!current && shown && html) {
    shown.innerHTML = html;
    current = html;
  }
  const form = current ? shown?.querySelector('form') : null;
  form?.querySelector('[name=back]')?.setAttribute('value', location.pathname + location.search);
  form?.requestSubmit();
}
