import { Idiomorph } from 'idiomorph';

/** A field that the person has typed into since the page came, and that the server does not know yet. */
function isEdited(node: Node): boolean {
  if (node instanceof HTMLInputElement && (node.type === 'checkbox' || node.type === 'radio')) {
    return node.checked !== node.defaultChecked;
  }
  if (node instanceof HTMLInputElement && node.type === 'hidden') return false;
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
    return node.value !== node.defaultValue;
  }
  if (node instanceof HTMLSelectElement) {
    const options = [...node.options];
    const usual = Math.max(
      0,
      options.findIndex(({ defaultSelected }) => defaultSelected),
    );
    return node.selectedIndex !== usual;
  }
  return false;
}

/** What a script of the page holds, such as files on their way. */
function isKept(node: Node): boolean {
  return node instanceof HTMLElement && node.dataset.kept !== undefined;
}

/** Whether something under way would be disturbed: a card that is dragged, a list that is open. */
export function isBusy(): boolean {
  const { activeElement } = document;
  // A secret that is shown once stays until the person goes on.
  if (document.querySelector('.sortable-chosen, dialog[open], .secret, .suggestions:popover-open'))
    return true;
  return activeElement instanceof HTMLSelectElement;
}

/**
 * Makes the page say what a newer answer says. What the person has typed stays, and so does the focus; what they opened
 * stays open.
 * @param keepsTyped false after a form of the page was taken: then its fields are those of the answer.
 */
export function morphPage(html: string, { keepsTyped }: { keepsTyped: boolean }) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  document.title = next.title;
  document.body.className = next.body.className;
  for (const id of ['content', 'menu'])
    morphElement(document.getElementById(id), next.getElementById(id), keepsTyped);
  morphElement(document.querySelector('.bar'), next.querySelector('.bar'), keepsTyped);
  document.dispatchEvent(new CustomEvent('edgework:morphed'));
}

function morphElement(current: Element | null, next: Element | null, keepsTyped: boolean) {
  if (!current || !next) return;
  Idiomorph.morph(current, next, {
    morphStyle: 'outerHTML',
    ignoreActiveValue: keepsTyped,
    callbacks: {
      beforeNodeMorphed: (before: Node) => !isKept(before) && !(keepsTyped && isEdited(before)),
      beforeAttributeUpdated: (name: string, node: Element) =>
        !(name === 'open' && node.matches('details, dialog')),
    },
  });
}
