/** Time enough to read a line, and to reach its button by the keyboard. */
const SHOWN_MS = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

const place = () => document.getElementById('done');

/** What was done goes after a while, unless somebody is about to take it back. */
export function hideDoneLater() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (place()?.matches(':hover, :focus-within')) hideDoneLater();
    else place()?.replaceChildren();
  }, SHOWN_MS);
}

/** What the answer to a form says of it; a page that is fetched for another reason leaves it alone. */
export function showDone(next: Document) {
  place()?.replaceChildren(...(next.getElementById('done')?.childNodes ?? []));
  hideDoneLater();
}
