import { findPanelContent, getRegionUrl, PANEL_CONTENT_ID, type Region } from './regions.ts';
import { showToast } from './toast.ts';

/** Added to ids in the panel, because the screen can contain the same ids. */
const ID_PREFIX = 'panel-';
const ID_ATTRIBUTES = ['id', 'for', 'form', 'list', 'aria-labelledby', 'aria-describedby', 'aria-controls'];

/** Turns each page that the panel loads, after a refresh or a submitted form, into panel content. */
export function adaptPagesToPanel() {
  document.addEventListener('edgework:panel-page', (event) => {
    const { detail: page } = event as CustomEvent<Document>;
    const [panel, main] = [findPanelContent(), page.getElementById('content')];
    if (!panel || !main) return;
    if (main.querySelector('[data-task]')) main.replaceWith(buildPanelContent(main, getRegionUrl(panel)));
    else showToast(main.querySelector('[role="alert"]')?.textContent ?? page.title, { isProblem: true });
  });
}

export function buildPanelContent(main: HTMLElement, address: string): Region {
  // Doesn't use `element.id`, because a form's `id` property can be one of its fields.
  const ids = new Set([...main.querySelectorAll('[id]')].map((each) => each.getAttribute('id') as string));
  const toPanelIds = (value: string) => value.replace(/\S+/g, (id) => (ids.has(id) ? ID_PREFIX + id : id));
  for (const each of main.querySelectorAll('*')) {
    for (const name of ID_ATTRIBUTES) {
      const value = each.getAttribute(name);
      if (value !== null) each.setAttribute(name, toPanelIds(value));
    }
    if (each.matches('form:not(:has(:not([type="hidden"])))')) each.setAttribute('hidden', '');
    const level = /^H([1-5])$/.exec(each.tagName)?.[1];
    if (level) each.ariaLevel = String(Number(level) + 1);
  }
  const content = document.createElement('div');
  content.id = PANEL_CONTENT_ID;
  content.dataset.address = address;
  content.append(...main.childNodes);
  return content;
}
