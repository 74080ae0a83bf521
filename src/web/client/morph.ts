import { Idiomorph } from 'idiomorph';
import { isEdited, isText } from './edited.ts';
import { showFlashMessage } from './flash-message.ts';

/** Says what a text was when somebody began to change it: it stays as long as their change does. */
function isAsItWas(node: Node): boolean {
  return node instanceof HTMLInputElement && node.name === 'shown' && hasEdited(node.form);
}

function hasEdited(form: HTMLFormElement | null): boolean {
  return [...(form?.elements ?? [])].some(isEdited);
}

function copyAttribute(name: string, to: Element, from: Element) {
  const value = from.getAttribute(name);
  if (value === null) to.removeAttribute(name);
  else to.setAttribute(name, value);
}

/** What a script of the page holds, such as files on their way; and a refused form with what is wrong in it. */
function isKept(node: Node): boolean {
  if (!(node instanceof HTMLElement)) return false;
  const { kept, refused } = node.dataset;
  return kept !== undefined || (refused !== undefined && hasEdited(node as HTMLFormElement));
}

/** What the person opened, and which forms wait for an answer: no answer to something else says so. */
function isOfThisPage(name: string, node: Element): boolean {
  return (
    (name === 'open' && node.matches('details, dialog')) || (name === 'aria-busy' && node.matches('form'))
  );
}

/** Whether something under way would be disturbed: a card that is dragged, a list that is open, a form that is answered soon. */
export function isBusy(): boolean {
  const { activeElement } = document;
  // A secret that is shown once stays until the person goes on.
  const underWay = '.sortable-chosen, dialog[open], .secret, .suggestions:popover-open, form[aria-busy]';
  if (document.querySelector(underWay)) return true;
  return activeElement instanceof HTMLSelectElement && mayBeOpen(activeElement);
}

/** Older browsers do not tell whether the list of a field is open. */
function mayBeOpen(field: HTMLSelectElement): boolean {
  return !CSS.supports('selector(:open)') || field.matches(':open');
}

/** The form whose answer the page becomes. What it held is the answer's if it was taken, and the person's if not. */
interface Sent {
  readonly form: HTMLFormElement;
  readonly isTaken: boolean;
  readonly isRefused: boolean;
}

/**
 * Makes the page say what a newer answer says. What the person has typed stays, and so does the focus; what they opened
 * stays open.
 */
export function morphPage(html: string, sent: Sent | null = null) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  document.title = next.title;
  document.body.className = next.body.className;
  for (const id of ['content', 'menu'])
    morphElement(document.getElementById(id), next.getElementById(id), sent);
  if (sent?.isTaken) showFlashMessage(next);
  morphElement(document.querySelector('.bar'), next.querySelector('.bar'), sent);
  document.dispatchEvent(new CustomEvent('edgework:morphed'));
}

function morphElement(current: Element | null, next: Element | null, sent: Sent | null) {
  if (!current || !next) return;
  const isTaken = (node: Node | null) => sent?.isTaken === true && sent.form.contains(node);
  const isTyped = (node: Node) =>
    isEdited(node) ? !isTaken(node) : isAsItWas(node) && sent?.form.contains(node) !== true;
  Idiomorph.morph(current, next, {
    morphStyle: 'outerHTML',
    callbacks: {
      beforeNodeMorphed(before: Node, after: Node) {
        if (!isTyped(before)) return before === sent?.form || !isKept(before);
        // What is wrong with it is told all the same.
        for (const name of ['aria-invalid', 'aria-describedby'])
          copyAttribute(name, before as Element, after as Element);
        // Escape goes back to what is stored now; a refused form has what was refused.
        const isOfRefused = sent?.isRefused === true && sent.form.contains(before);
        // A date that is half typed would lose its parts.
        const isWhole = isEdited(before) && isText(before) && !before.validity.badInput;
        if (isWhole && isText(after) && !isOfRefused) before.defaultValue = after.defaultValue;
        return false;
      },
      beforeAttributeUpdated: (name: string, node: Element) => !isOfThisPage(name, node),
    },
  });
}
