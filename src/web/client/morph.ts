import { Idiomorph } from 'idiomorph';
import { isEdited, isTextField } from './edited-fields.ts';
import { showFlashMessage } from './flash-message.ts';
import { getScreen, isPanel, type Region } from './regions.ts';

/** A form with unsaved edits keeps its snapshot so that the server can detect conflicts. */
function isSnapshotOfEditedForm(node: Node): boolean {
  return node instanceof HTMLInputElement && node.name === 'shown' && hasEditedField(node.form);
}

function hasEditedField(form: HTMLFormElement | null): boolean {
  return [...(form?.elements ?? [])].some(isEdited);
}

function copyAttribute(name: string, to: Element, from: Element) {
  const value = from.getAttribute(name);
  if (value === null) to.removeAttribute(name);
  else to.setAttribute(name, value);
}

function isPreserved(node: Node): boolean {
  if (!(node instanceof HTMLElement)) return false;
  const { kept, rejected } = node.dataset;
  return kept !== undefined || (rejected !== undefined && hasEditedField(node as HTMLFormElement));
}

/** The server doesn't know which elements are open and which forms are busy. */
function isLocalAttribute(name: string, node: Element): boolean {
  return (
    (name === 'open' && node.matches('details, dialog')) || (name === 'aria-busy' && node.matches('form'))
  );
}

export function isPageBusy(): boolean {
  const { activeElement } = document;
  // Includes `.secret`, because a secret is displayed only once, and a refresh would remove it.
  const busySelector =
    '.sortable-chosen, .bar.moving, dialog[open], .secret, :is(.suggestions, .picker):popover-open, form[aria-busy]';
  if (document.querySelector(busySelector)) return true;
  return activeElement instanceof HTMLSelectElement && mayBeOpen(activeElement);
}

/** Always true in older browsers, where a script can't detect whether a list is open. */
function mayBeOpen(field: HTMLSelectElement): boolean {
  return !CSS.supports('selector(:open)') || field.matches(':open');
}

/** An accepted form shows the response's values. A rejected form keeps the typed values. */
interface SubmittedForm {
  readonly form: HTMLFormElement;
  readonly isAccepted: boolean;
  readonly isRejected: boolean;
}

/** Replaces the region's content, but keeps typed text, focus and opened elements. */
export function morphPage(html: string, sent: SubmittedForm | null = null, region: Region = getScreen()) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  if (isPanel(region)) document.dispatchEvent(new CustomEvent('edgework:panel-page', { detail: next }));
  else
    for (const id of ['menu', 'bottom'])
      morphElement(document.getElementById(id), next.getElementById(id), sent);
  document.title = next.title;
  document.body.className = next.body.className;
  morphElement(region, next.getElementById(region.id), sent);
  if (sent?.isAccepted) showFlashMessage(next);
  morphElement(document.querySelector('.top-bar'), next.querySelector('.top-bar'), sent);
  document.dispatchEvent(new CustomEvent('edgework:morphed', { detail: region }));
}

function morphElement(current: Element | null, next: Element | null, sent: SubmittedForm | null) {
  if (!current || !next) return;
  const isAccepted = (node: Node | null) => sent?.isAccepted === true && sent.form.contains(node);
  const keepsInput = (node: Node) =>
    isEdited(node) ? !isAccepted(node) : isSnapshotOfEditedForm(node) && sent?.form.contains(node) !== true;
  Idiomorph.morph(current, next, {
    morphStyle: 'outerHTML',
    callbacks: {
      beforeNodeMorphed(before: Node, after: Node) {
        if (!keepsInput(before)) return before === sent?.form || !isPreserved(before);
        for (const name of ['aria-invalid', 'aria-describedby'])
          copyAttribute(name, before as Element, after as Element);
        // Escape must restore the stored value, not the rejected value.
        const isOfRejected = sent?.isRejected === true && sent.form.contains(before);
        // Setting the default value would clear a partially typed date.
        const isWhole = isEdited(before) && isTextField(before) && !before.validity.badInput;
        if (isWhole && isTextField(after) && !isOfRejected) before.defaultValue = after.defaultValue;
        return false;
      },
      beforeAttributeUpdated: (name: string, node: Element) => !isLocalAttribute(name, node),
    },
  });
}
