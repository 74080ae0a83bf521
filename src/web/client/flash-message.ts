/** Time enough to read a line, and to reach its button by the keyboard. */
const SHOWN_MS = 12_000;
/** As long as src/kernel/removals/undo-window.ts says. */
const UNDO_MS = 600_000;
const STEPS_MAX = 10;
/** In this tab, whatever its page; another workspace has its own. */
const KEPT = `edgework:undo:${location.pathname.split('/')[2]}`;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What a message said, with its form, and when. */
type Step = readonly [html: string, at: number];

/** The message that is shown, as long as it can still be undone. */
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
    // Without storage only what is shown can be undone.
  }
}

/** Starts with what the page says, and forgets each step once it is undone. */
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

/** What the answer to a form says of it; a page that is fetched for another reason leaves it alone. */
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

/** The message goes after a while, unless somebody is about to undo. */
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

/** Undoes the latest step, wherever it was made; its form then leads to this page. */
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
